package io.tidemark.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture.Chunk;
import io.tidemark.journal.StoreMark;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A journal that cannot be relied on is reported and left alone: every chunk is touched again. */
class JournalIgnoredTest {
  @TempDir private Path temporary;
  private InterruptedStore store;

  private static Options.Builder ordered(Options.Builder options) {
    return options.strategy(Strategy.ORDERED).window(Window.ALL);
  }

  @BeforeEach
  void interrupt() {
    store = new InterruptedStore(temporary);
    store.crashAtTouch(50);
    assertThat(store.collect(JournalIgnoredTest::ordered, Continuation.Mode.KEEP).outcome())
        .isEqualTo(Outcome.REFUSED);
    assertThat(store.journal()).exists();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void assertIgnored(String why) {
    assertIgnored(JournalIgnoredTest::ordered, why);
  }

  private void assertIgnored(UnaryOperator<Options.Builder> options, String why) {
    Report report = store.resume(options);

    assertThat(report.warnings())
        .filteredOn(warning -> warning.id().equals("journal-ignored"))
        .singleElement()
        .satisfies(
            warning ->
                assertThat(warning.message())
                    .contains(why, "starts from the beginning")
                    .doesNotContain("\n"));
    assertThat(report.continuedFrom()).isEmpty();
    assertThat(report.touched()).isEqualTo(store.used.size());
    assertThat(InterruptedStore.withoutCache(report.status())).isEqualTo(store.expected());
    store.assertDone(report);
  }

  private String text() throws IOException {
    return Files.readString(store.journal());
  }

  private void write(String text) throws IOException {
    Files.writeString(store.journal(), text);
  }

  @Test
  void journal_cutAnywhere_isIgnored() throws IOException {
    byte[] whole = Files.readAllBytes(store.journal());
    Files.write(store.journal(), Arrays.copyOf(whole, whole.length / 2));
    assertIgnored("it is torn");
  }

  @Test
  void journal_withoutItsLastByte_isIgnored() throws IOException {
    byte[] whole = Files.readAllBytes(store.journal());
    Files.write(store.journal(), Arrays.copyOf(whole, whole.length - 1));
    assertIgnored("it is torn");
  }

  @Test
  void journal_withAChangedDigit_isIgnored() throws IOException {
    write(text().replaceFirst("\"swept\":0", "\"swept\":9"));
    assertIgnored("it is torn");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "{}", "garbage\nof\nfour\nlines\n"})
  void journal_ofSomethingElse_isIgnored(String content) throws IOException {
    write(content);
    assertIgnored("it is damaged");
  }

  @Test
  void journal_ofAnotherVersion_isIgnored() throws IOException {
    write(text().replaceFirst("tidemark-journal 1", "tidemark-journal 2"));
    assertIgnored("it is of another version, 2 instead of 1");
  }

  @Test
  void journal_unreadable_isIgnored() throws IOException {
    Path journal = store.journal();
    Files.delete(journal);
    Files.createDirectory(journal);
    Report report = store.resume(JournalIgnoredTest::ordered);
    assertThat(report.warnings()).anyMatch(warning -> warning.id().equals("journal-ignored"));
    assertThat(report.warnings()).anyMatch(warning -> warning.id().equals("journal-not-written"));
    assertThat(report.touched()).isEqualTo(store.used.size());
    assertThat(report.outcome()).isEqualTo(Outcome.WARNINGS);
  }

  @Test
  void journal_ofAnotherDatastore_isIgnored() throws IOException {
    Path other = temporary.resolve("other");
    try (InterruptedStore foreign = new InterruptedStore(other)) {
      foreign.crashAtTouch(20);
      foreign.collect(JournalIgnoredTest::ordered, Continuation.Mode.KEEP);
      Files.copy(foreign.journal(), store.journal(), StandardCopyOption.REPLACE_EXISTING);
    }
    assertIgnored("it is that of another datastore, " + other.resolve("store"));
  }

  @Test
  void journal_ofAStoreThatWasMadeAnewInItsPlace_isIgnored() throws IOException {
    Path chunks = store.fixture.base.resolve(".chunks");
    Files.move(chunks, temporary.resolve("before"));
    Files.createDirectory(chunks);
    try (var entries = Files.list(temporary.resolve("before"))) {
      for (Path entry : entries.toList()) {
        Files.move(entry, chunks.resolve(entry.getFileName()));
      }
    }
    assertIgnored("it is that of another datastore");
  }

  @Test
  void store_rolledBackToBeforeTheRun_isSeen() throws IOException {
    Files.delete(mark());
    ageAll();
    assertIgnored("the datastore does not bear its mark");
  }

  @Test
  void store_rolledBackToAnEarlierNote_isSeen() throws IOException {
    String text = Files.readString(mark());
    String sequence = text.substring(text.length() - 20, text.length() - 1);
    String earlier = "%019d".formatted(Long.parseLong(sequence) - 1);
    Files.writeString(mark(), text.replace(sequence, earlier));
    ageAll();
    assertIgnored("the datastore was rolled back to a state before it");
  }

  /* A checkpoint that was broken off has left its number; the next one must not use it again. */
  @Test
  void store_rolledBackToANoteThatWasBrokenOff_isSeen() throws IOException {
    crashAt(Point.CHECKPOINT_DURABLE);
    byte[] brokenOff = Files.readAllBytes(mark());
    crashAt(Point.CHECKPOINT_NOTED);
    Files.write(mark(), brokenOff);
    ageAll();
    assertIgnored("the datastore was rolled back to a state before it");
  }

  private void crashAt(Point point) {
    store.fixture.watch(
        reached -> {
          if (reached == point) {
            throw new InterruptedStore.Crash();
          }
        });
    assertThat(store.resume(JournalIgnoredTest::ordered).continuedFrom()).isPresent();
    store.fixture.watch(Points.NONE);
  }

  @Test
  void store_withATornMark_isSeen() throws IOException {
    byte[] whole = Files.readAllBytes(mark());
    Arrays.fill(whole, 40, whole.length, (byte) 0);
    Files.write(mark(), whole);
    assertIgnored("the datastore does not bear its mark");
  }

  /* A rollback takes back the touches. */
  private void ageAll() {
    for (Chunk chunk : store.used) {
      store.fixture.age(chunk, StoreFixture.OLD);
    }
  }

  private Path mark() {
    return store.fixture.base.resolve(".chunks").resolve(StoreMark.NAME);
  }

  @Test
  void clock_setBackBetweenTheRuns_isSeen() {
    store.fixture.clock.jump(Duration.ofSeconds(-302));
    assertIgnored("the clock was set back");
  }

  @Test
  void clock_setBackByLess_continuesWithTheEarlierOfBothCutoffs() {
    store.fixture.clock.jump(Duration.ofSeconds(-200));
    Report report = store.resume(JournalIgnoredTest::ordered);
    assertThat(report.continuedFrom()).contains(store.fixture.now);
    assertThat(report.minimumAtime())
        .contains(store.fixture.now.minusSeconds(200 + Options.DEFAULT_GRACE_MINUTES * 60L));
    store.assertDone(report);
  }

  @Test
  void journal_olderThanTwoWeeks_isIgnored() {
    store.fixture.clock.pass(Duration.ofDays(14).plusSeconds(2));
    Report report = store.resume(JournalIgnoredTest::ordered);
    assertThat(report.warnings().getFirst().message()).contains("it is too old, of 20");
    assertThat(report.continuedFrom()).isEmpty();
  }

  @Test
  void journal_ofAnotherStrategy_isIgnored() {
    assertIgnored(
        options -> options.strategy(Strategy.DEFERRED),
        "it is that of a run with the strategy ordered, not deferred");
  }

  @Test
  void journal_ofAuto_isThatOfOrdered() {
    Report report = store.resume(options -> options.strategy(Strategy.AUTO).window(Window.ALL));
    assertThat(report.continuedFrom()).contains(store.fixture.now);
    store.assertDone(report);
  }

  @Test
  void journal_withoutResume_isLeftUnreadAndRemovedAtTheEnd() {
    store.fixture.recover();
    Report report = store.collect(JournalIgnoredTest::ordered, Continuation.Mode.NONE);
    assertThat(report.continuedFrom()).isEmpty();
    assertThat(report.touched()).isEqualTo(store.used.size());
    store.assertDone(report);
    assertThat(mark()).doesNotExist();
  }

  @Test
  void journal_dryRun_isLeftAlone() throws IOException {
    byte[] before = Files.readAllBytes(store.journal());
    store.fixture.recover();
    Report report =
        store.collect(
            options -> ordered(options).action(Options.Action.DRY_RUN), Continuation.Mode.RESUME);
    assertThat(report.status().removedChunks()).isEqualTo(store.unused.size());
    assertThat(Files.readAllBytes(store.journal())).isEqualTo(before);
    assertThat(mark()).exists();
  }

  @Test
  void stateDirectory_thatCannotBe_isAWarning() throws IOException {
    Files.delete(store.journal());
    Files.delete(store.states);
    Files.writeString(store.states, "a file", StandardCharsets.UTF_8);
    Report report = store.resume(JournalIgnoredTest::ordered);
    assertThat(report.warnings().stream().map(warning -> warning.id()).toList())
        .isSubsetOf(List.of("journal-ignored", "journal-not-written", "missing-chunk"))
        .contains("journal-not-written");
    assertThat(InterruptedStore.withoutCache(report.status())).isEqualTo(store.expected());
  }
}
