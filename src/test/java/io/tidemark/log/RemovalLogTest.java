package io.tidemark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.PosixException;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import io.tidemark.store.EntryKind;
import io.tidemark.store.EpochClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written down is found again, whatever happened to the file. */
class RemovalLogTest {
  @TempDir private Path temporary;
  private final FaultyCalls faults = new FaultyCalls();
  private final SystemCalls calls = faults.around(Posix.open());
  private final RunLog log = new RunLog();
  private List<RemovalSearch.Damage> damages = List.of();

  @AfterEach
  void close() {
    calls.close();
  }

  private Path file() {
    return temporary.resolve("removals.gz");
  }

  private RemovalLog open() {
    return RemovalLog.open(calls, file().toString(), "/mnt/a store", EpochClock.SYSTEM, log);
  }

  private static Removals batch(int first, int number) {
    Removals batch = new Removals();
    for (int i = first; i < first + number; i++) {
      batch.add(i, 2, 3, 4, i == 7 ? EntryKind.bad(0) : EntryKind.CHUNK, 100 + i, 1_700_000_000);
    }
    return batch;
  }

  private static Removals removed(Removals batch) {
    for (int row = 0; row < batch.size(); row++) {
      batch.setFate(row, Fate.REMOVED);
    }
    return batch;
  }

  private List<LoggedRemoval> read() {
    List<LoggedRemoval> found = new ArrayList<>();
    try {
      damages = new RemovalSearch(entry -> true, found::add).read(file());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  @Test
  void batches_announcedAndConfirmed_areFoundWithAllTheirFields() {
    String run;
    try (RemovalLog written = open()) {
      run = written.run();
      for (int i = 0; i < 3; i++) {
        Removals batch = batch(5 * i, 5);
        written.confirm(written.announce(calls, batch), removed(batch));
      }
    }

    List<LoggedRemoval> found = read();

    assertThat(found).hasSize(15);
    assertThat(damages).isEmpty();
    assertThat(found)
        .allSatisfy(
            entry -> {
              assertThat(entry.run()).isEqualTo(run);
              assertThat(entry.store()).isEqualTo("/mnt/a store");
              assertThat(entry.fate()).isEqualTo(Fate.REMOVED);
              assertThat(entry.used()).isEqualTo("2023-11-14T22:13:20Z");
            });
    assertThat(found.get(7).name()).isEqualTo("%016x%016x%016x%016x.0.bad".formatted(7, 2, 3, 4));
    assertThat(found.get(7).bytes()).isEqualTo(107);
  }

  @Test
  void fates_ofABatch_areThoseOfItsEntries() {
    try (RemovalLog written = open()) {
      Removals batch = removed(batch(0, 6));
      long number = written.announce(calls, batch);
      batch.setFate(1, Fate.TOUCHED);
      batch.setFate(3, Fate.FAILED);
      batch.setFate(4, Fate.GONE);
      batch.setFate(5, Fate.UNTRIED);
      written.confirm(number, batch);
    }

    assertThat(read())
        .extracting(LoggedRemoval::fate)
        .containsExactly(
            Fate.REMOVED, Fate.TOUCHED, Fate.REMOVED, Fate.FAILED, Fate.GONE, Fate.UNTRIED);
  }

  /* As after the end of a process that nobody asked: nothing more is written. */
  @Test
  void run_cutOff_itsLastBatchIsUnconfirmed() {
    RemovalLog written = open();
    Removals batch = batch(0, 2);
    written.confirm(written.announce(calls, batch), removed(batch));
    written.announce(calls, batch(2, 2));

    assertThat(read())
        .extracting(LoggedRemoval::fate)
        .containsExactly(Fate.REMOVED, Fate.REMOVED, Fate.UNCONFIRMED, Fate.UNCONFIRMED);

    try (RemovalLog next = open()) {
      Removals other = batch(9, 1);
      next.confirm(next.announce(calls, other), removed(other));
    }
    assertThat(read()).hasSize(5);
  }

  @Test
  void member_cutOff_isReportedAndWhatFollowsIsRead() throws IOException {
    try (RemovalLog written = open()) {
      Removals batch = batch(0, 100);
      written.confirm(written.announce(calls, batch), removed(batch));
    }
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length - 40));
    int readable = read().size();
    assertThat(readable).isEqualTo(100);
    assertThat(damages).hasSize(1);

    try (RemovalLog written = open()) {
      Removals batch = batch(200, 3);
      written.confirm(written.announce(calls, batch), removed(batch));
    }
    assertThat(read()).hasSize(103);
    assertThat(damages).hasSize(1);
    assertThat(damages.getFirst().bytes()).isPositive().isLessThan(200);
  }

  @Test
  void member_damaged_isReportedAndTheOthersAreRead() throws IOException {
    try (RemovalLog written = open()) {
      for (int i = 0; i < 3; i++) {
        Removals batch = batch(10 * i, 10);
        written.confirm(written.announce(calls, batch), removed(batch));
      }
    }
    byte[] bytes = Files.readAllBytes(file());
    bytes[bytes.length / 2] ^= 1;
    Files.write(file(), bytes);

    assertThat(read()).hasSize(20);
    assertThat(damages).hasSize(1);
  }

  @Test
  void file_ofMembers_isAGzipFile() throws IOException {
    try (RemovalLog written = open()) {
      Removals batch = batch(0, 3);
      written.confirm(written.announce(calls, batch), removed(batch));
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file()))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text.lines().filter(line -> line.length() > 64)).hasSize(3);
      assertThat(text).contains("run ", "/mnt/a store", "batch 1 ", "done 1", "end ");
    }
  }

  @Test
  void file_ofSomethingElse_isDamageAsAWhole() throws IOException {
    Files.write(file(), new byte[100_000]);
    assertThat(read()).isEmpty();
    assertThat(damages).containsExactly(new RemovalSearch.Damage(0, 100_000));
  }

  @Test
  void batch_cannotBeWritten_failsWithThePath() {
    try (RemovalLog written = open()) {
      faults.failFrom("pwrite", 1, Errno.ENOSPC);
      assertThatThrownBy(() -> written.announce(calls, batch(0, 1)))
          .isInstanceOf(PosixException.class)
          .hasMessageContaining(file().toString())
          .hasMessageContaining("ENOSPC");
    }
    assertThat(log.warnings()).extracting("id").containsExactly("removal-log-not-closed");
  }

  @Test
  void batch_cannotBeFlushed_fails() {
    try (RemovalLog written = open()) {
      faults.fail("fdatasync", 1, Errno.EIO);
      assertThatThrownBy(() -> written.announce(calls, batch(0, 1))).hasMessageContaining("EIO");
    }
  }

  @Test
  void file_thatExists_isAppendedTo() throws IOException {
    Files.writeString(file(), "x", StandardOpenOption.CREATE);
    open().close();
    assertThat(Files.readString(file(), StandardCharsets.ISO_8859_1)).startsWith("x\u001f");
  }

  @Test
  void batch_largest_survives() {
    try (RemovalLog written = open()) {
      Removals batch = batch(0, Removals.CAPACITY);
      assertThat(batch.isFull()).isTrue();
      written.confirm(written.announce(calls, batch), removed(batch));
    }
    assertThat(read()).hasSize(Removals.CAPACITY);
  }
}
