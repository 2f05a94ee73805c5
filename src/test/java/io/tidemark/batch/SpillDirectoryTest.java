package io.tidemark.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Errno;
import io.tidemark.posix.FaultyCalls;
import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.store.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpillDirectoryTest {
  /* Larger than any process number can be: the kernel's limit is 4,194,304. */
  private static final String NO_PROCESS = "tidemark-spill-2000000000-17";

  @TempDir Path directory;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void create(SystemCalls calls) {
    try (calls;
        SpillDirectory spill = new SpillDirectory(calls, directory.toString());
        SpillFile file = spill.create()) {
      byte[] bytes = {1, 2, 3};
      file.write(bytes.clone(), 3, 5);
      byte[] read = new byte[3];
      file.read(read, 3, 5);
      assertThat(read).isEqualTo(bytes);
      assertThat(names()).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void create_fileSystemKnowsNamelessFiles_neverNamesOne() {
    FaultyCalls counter = new FaultyCalls();
    create(counter.source().open());
    assertThat(counter.count("unlinkat")).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EOPNOTSUPP, Errno.EISDIR, Errno.EINVAL})
  void create_fileSystemKnowsNoNamelessFiles_unlinksAtOnce(int errno) {
    // The first openat opens the directory, the second asks for a nameless file.
    FaultyCalls faults = new FaultyCalls().fail("openat", 2, errno);
    create(faults.source().open());
    assertThat(faults.count("unlinkat")).isEqualTo(1);
  }

  @Test
  void create_nameTaken_takesAnother() {
    // A call that the first rule fails is not counted by the second, which fails the third call.
    FaultyCalls faults =
        new FaultyCalls().fail("openat", 2, Errno.EOPNOTSUPP).fail("openat", 2, Errno.EEXIST);
    create(faults.source().open());
    assertThat(faults.count("openat")).isEqualTo(4);
  }

  @Test
  void create_namedFile_isPrivate() {
    String[] permissions = new String[1];
    SystemCalls nameless =
        AlteredCalls.open(
            "openat", (number, a, real) -> number == 2 ? -Errno.EOPNOTSUPP : AlteredCalls.REAL);
    FaultyCalls look =
        new FaultyCalls()
            .before(
                "unlinkat",
                "tidemark-spill-" + ProcessHandle.current().pid() + "-",
                1,
                () -> permissions[0] = permissionsOfTheOnlyFile());
    create(look.around(nameless));
    assertThat(permissions[0]).isEqualTo("rw-------");
  }

  private String permissionsOfTheOnlyFile() {
    try {
      Path file = directory.resolve(names().getFirst());
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void create_unlinkFails_endsTheRun() throws IOException {
    FaultyCalls faults =
        new FaultyCalls().fail("openat", 2, Errno.EOPNOTSUPP).fail("unlinkat", 1, Errno.EIO);
    assertThatThrownBy(() -> create(faults.source().open()))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("cannot create a spill file in " + directory + ": EIO");
    for (String name : names()) {
      Files.delete(directory.resolve(name));
    }
  }

  @Test
  void create_directoryMissing_endsTheRunWithOneLine() {
    Path missing = directory.resolve("missing");
    try (SystemCalls calls = Posix.open();
        SpillDirectory spill = new SpillDirectory(calls, missing.toString())) {
      assertThatThrownBy(spill::create)
          .isInstanceOf(RefusedException.class)
          .hasMessage(
              "cannot open the spill directory "
                  + missing
                  + ": ENOENT (no such file or directory); nothing was removed; name another"
                  + " directory with --spill-dir, or sort in memory with a larger --memory");
    }
  }

  @Test
  void create_leftOverOfAProcessThatIsGone_isRemoved() throws IOException {
    Files.createFile(directory.resolve(NO_PROCESS));
    create(Posix.open());
    assertThat(names()).isEmpty();
  }

  @Test
  void create_leftOverOlderThanTheProcessOfItsNumber_isRemoved() throws IOException {
    Path old =
        Files.createFile(
            directory.resolve("tidemark-spill-" + ProcessHandle.current().pid() + "-4"));
    Files.setLastModifiedTime(
        old,
        FileTime.from(
            ProcessHandle.current()
                .info()
                .startInstant()
                .orElseThrow()
                .minus(Duration.ofHours(1))));
    create(Posix.open());
    assertThat(names()).isEmpty();
  }

  @Test
  void create_filesThatAreNoLeftOvers_stay() throws IOException {
    Path target = Files.createFile(directory.resolve("target"));
    Files.createFile(directory.resolve("tidemark-spill-" + ProcessHandle.current().pid() + "-5"));
    Files.createFile(directory.resolve(NO_PROCESS + "x"));
    Files.createFile(directory.resolve("x" + NO_PROCESS));
    Files.createFile(directory.resolve("tidemark-spill-2000000000-"));
    Files.createFile(directory.resolve("tidemark-spill-02000000000-1"));
    Files.createFile(directory.resolve("tidemark-spill-2000000000-01"));
    Files.createDirectory(directory.resolve("tidemark-spill-2000000000-6"));
    Files.createSymbolicLink(directory.resolve("tidemark-spill-2000000000-7"), target);
    List<String> before = names();
    try (SystemCalls calls = Posix.open();
        SpillDirectory spill = new SpillDirectory(calls, directory.toString());
        SpillFile file = spill.create()) {
      assertThat(file).isNotNull();
    }
    assertThat(names()).isEqualTo(before);
  }

  @Test
  void create_leftOverOfAnotherUser_stays() throws IOException {
    Files.createFile(directory.resolve(NO_PROCESS));
    SystemCalls somebodyElse = AlteredCalls.open("geteuid", (number, a, real) -> 12_345);
    try (somebodyElse;
        SpillDirectory spill = new SpillDirectory(somebodyElse, directory.toString());
        SpillFile file = spill.create()) {
      assertThat(file).isNotNull();
    }
    assertThat(names()).containsExactly(NO_PROCESS);
  }

  @Test
  void create_secondFile_doesNotListTheDirectoryAgain() {
    FaultyCalls counter = new FaultyCalls();
    try (SystemCalls calls = counter.source().open();
        SpillDirectory spill = new SpillDirectory(calls, directory.toString())) {
      spill.create().close();
      long lists = counter.count("getdents64");
      spill.create().close();
      assertThat(counter.count("getdents64")).isEqualTo(lists);
    }
  }
}
