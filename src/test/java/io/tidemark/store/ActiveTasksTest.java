package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActiveTasksTest {
  private static final int HOLDER = 0x1F4;
  private static final String BACKUP =
      "UPID:pbs:000001F4:0000A1B2:00000003:65000000:backup:store1\\x3avm-100:root@pam!t:";

  @TempDir private Path tasks;

  private OptionalLong oldest(String... lines) throws IOException {
    Files.writeString(tasks.resolve("active"), String.join("\n", lines) + "\n");
    return ActiveTasks.oldestStart(new PbsHost("", "", tasks.toString()), HOLDER);
  }

  private static String task(String pid, String start, String type) {
    return "UPID:pbs:%s:0000A1B2:00000003:%s:%s:store1:root@pam:".formatted(pid, start, type);
  }

  @Test
  void backup_ofTheHolder_itsStart() throws IOException {
    assertThat(oldest(BACKUP)).hasValue(0x65000000L);
  }

  @Test
  void writers_ofOtherProcesses_countToo() throws IOException {
    for (String type : new String[] {"backup", "sync", "syncjob", "tape-restore"}) {
      assertThat(oldest(BACKUP, task("00000007", "64000000", type))).hasValue(0x64000000L);
    }
  }

  @Test
  void reader_ofAnotherProcess_doesNotCount() throws IOException {
    assertThat(oldest(BACKUP, task("00000007", "64000000", "reader"))).hasValue(0x65000000L);
  }

  @Test
  void anyTask_ofTheHolder_counts() throws IOException {
    assertThat(oldest(BACKUP, task("000001F4", "64000000", "verify"))).hasValue(0x64000000L);
  }

  @Test
  void finishedTask_withEndAndResult_isSkipped() throws IOException {
    String old = task("000001F4", "10000000", "backup");
    assertThat(oldest(old + " 65000001 OK", BACKUP, "", old + " 65000001 connection error: x:y"))
        .hasValue(0x65000000L);
  }

  @Test
  void holder_withoutATask_isUnknown() throws IOException {
    assertThat(oldest(task("00000007", "64000000", "backup"))).isEmpty();
    assertThat(oldest(BACKUP + " 65000001 OK")).isEmpty();
    assertThat(oldest("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPID:pbs:000001F4",
        "garbage",
        "uuid:pbs:000001F4:0000A1B2:00000003:65000000:reader:store1:root@pam:",
        "UPID:pbs:000001F4:0000A1B2:00000003:xyz:backup:store1:root@pam:",
        "UPID:pbs:pid:0000A1B2:00000003:65000000:backup:store1:root@pam:",
      })
  void lineThatMakesNoSense_beside_makesTheAgeUnknown(String line) throws IOException {
    assertThat(oldest(BACKUP, line)).isEmpty();
  }

  @Test
  void list_missing_isUnknown() {
    assertThat(ActiveTasks.oldestStart(new PbsHost("", "", tasks + "/none"), HOLDER)).isEmpty();
  }
}
