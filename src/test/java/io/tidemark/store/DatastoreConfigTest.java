package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.posix.Posix;
import io.tidemark.posix.SystemCalls;
import io.tidemark.report.RunLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatastoreConfigTest {
  @TempDir private Path root;

  private final SystemCalls calls = Posix.open();
  private final RunLog log = new RunLog();

  @AfterEach
  void closeCalls() {
    calls.close();
  }

  /* "%" stands for the temporary directory. */
  private DatastoreConfig config(String... lines) throws IOException {
    Path file = root.resolve("datastore.cfg");
    Files.writeString(file, String.join("\n", lines).replace("%", root.toString()) + "\n");
    return DatastoreConfig.read(new PbsHost(file.toString(), "", ""), log);
  }

  private String store(String name) throws IOException {
    Files.createDirectories(root.resolve(name).resolve(".chunks"));
    return root.resolve(name).toString();
  }

  private DatastoreSettings only(String... settings) throws IOException {
    String base = store("one");
    String text = "datastore: one\n\tpath " + base + "\n\t" + String.join("\n\t", settings);
    return config(text.stripTrailing()).find(calls, base).orElseThrow();
  }

  @Test
  void datastore_withoutSettings_hasDefaults() throws IOException {
    assertThat(only())
        .isEqualTo(
            new DatastoreSettings(
                "one",
                root + "/one",
                "filesystem",
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()));
  }

  @Test
  void datastore_withSettings_areRead() throws IOException {
    DatastoreSettings store =
        only(
            "comment a: comment, with \"everything\" = in it",
            "gc-schedule daily",
            "a-key-of-the-future 7",
            "tuning gc-atime-cutoff=2880,chunk-order=none,gc-atime-safety-check=No,"
                + "gc-cache-capacity=0",
            "maintenance-mode type=offline,message=\"moved, says \\\"he\\\"\"",
            "backend type=filesystem");
    assertThat(store.gcAtimeCutoffMinutes()).hasValue(2880);
    assertThat(store.gcAtimeSafetyCheck()).hasValue(false);
    assertThat(store.gcCacheCapacity()).hasValue(0);
    assertThat(store.maintenanceMode()).hasValue("offline");
    assertThat(store.backend()).isEqualTo("filesystem");
  }

  @ParameterizedTest
  @CsvSource({"1,true", "on,true", "YES,true", "True,true", "0,false", "off,false", "no,false"})
  void safetyCheck_everySpelling_isRead(String spelling, boolean expected) throws IOException {
    assertThat(only("tuning gc-atime-safety-check=" + spelling).gcAtimeSafetyCheck())
        .hasValue(expected);
  }

  @Test
  void find_severalStores_theOneWithTheDirectory() throws IOException {
    String two = store("two");
    DatastoreConfig config =
        config(
            "datastore: one",
            "\tpath %/one",
            "",
            "  ",
            "s3-endpoint: elsewhere",
            "\tpath " + two,
            "",
            "datastore: two",
            "\tpath " + two + "   ");
    Files.createSymbolicLink(root.resolve("link"), root.resolve("two"));
    assertThat(config.find(calls, two).orElseThrow().name()).isEqualTo("two");
    assertThat(config.find(calls, root + "/link/").orElseThrow().name()).isEqualTo("two");
    assertThat(config.find(calls, root + "/one")).isEmpty();
    assertThat(config.find(calls, store("three"))).isEmpty();
  }

  @Test
  void removableStore_relativePath_isUnderMnt() throws IOException {
    store("inner");
    Path file = root.resolve("datastore.cfg");
    Files.writeString(file, "datastore: usb\n\tpath inner\n\tbacking-device 1234-5678\n");
    assertThat(DatastoreConfig.read(new PbsHost(file.toString(), "", ""), log).stores())
        .extracting(DatastoreSettings::path)
        .containsExactly("/mnt/datastore/usb");
  }

  @Test
  void file_missing_noSettingsAndNoWord() throws IOException {
    PbsHost host = new PbsHost(root + "/none.cfg", "", "");
    try (LogLines lines = new LogLines()) {
      assertThat(DatastoreConfig.read(host, log).find(calls, store("one"))).isEmpty();
      assertThat(lines.lines()).isEmpty();
    }
  }

  @Test
  void file_unreadable_noSettingsAndALine() throws IOException {
    PbsHost host = new PbsHost(root.toString(), "", "");
    try (LogLines lines = new LogLines()) {
      assertThat(DatastoreConfig.read(host, log).find(calls, store("one"))).isEmpty();
      assertThat(lines.lines()).singleElement().asString().contains("Cannot read " + root);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "1|'datastore'",
        "1|'# comment'",
        "1|'9store: one;\tpath /a'",
        "1|'\tpath /a'",
        "1|'datastore: one;\tcomment no path'",
        "3|'datastore: one;\tpath /a;\tpath /b'",
        "4|'datastore: one;\tpath /a;;\tcomment x'",
        "4|'datastore: one;\tpath /a;;datastore: one;\tpath /b'",
        "3|'datastore: one;\tpath /a;\ttuning gc-atime-cutoff=0'",
        "3|'datastore: one;\tpath /a;\ttuning gc-atime-cutoff=2881'",
        "3|'datastore: one;\tpath /a;\ttuning gc-atime-cutoff=soon'",
        "3|'datastore: one;\tpath /a;\ttuning gc-atime-safety-check=perhaps'",
        "3|'datastore: one;\tpath /a;\ttuning gc-cache-capacity=8388609'",
        "3|'datastore: one;\tpath /a;\ttuning none'",
        "3|'datastore: one;\tpath /a;\ttuning a=1,a=2'",
        "3|'datastore: one;\tpath /a;\tmaintenance-mode offline,message=\"open'",
        "3|'datastore: one;\tpath /a;\tbackend type=\"s3\"x'",
      })
  void file_thatCannotBeParsed_refusedWithItsLine(int line, String text) {
    assertThatThrownBy(() -> config(text.split(";", -1)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("datastore.cfg, line " + line + ":")
        .hasMessageNotContaining("\n");
  }

  @Test
  void usable_store_isNotRefused() throws IOException {
    String base = store("one");
    DatastoreConfig config =
        config("datastore: one", "\tpath %/one", "", "datastore: other", "\tpath %/one-more");
    store("one-more");
    assertThatCode(() -> config.refuseUnusable(calls, base)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"type=s3,client=c,bucket=b", "s3,client=c,bucket=b"})
  void s3_backend_refused(String backend) throws IOException {
    String base = store("one");
    DatastoreConfig config = config("datastore: one", "\tpath %/one", "\tbackend " + backend);
    assertThatThrownBy(() -> config.refuseUnusable(calls, base))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("datastore one")
        .hasMessageContaining("'s3'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "read-only|read-only",
        "type=offline|offline",
        "delete,message=\"a,b\"|delete",
        "message=x|unknown",
        "type=\"unmount\"|unmount",
        "s3-refresh|s3-refresh",
      })
  void maintenance_ofAnyType_refused(String mode, String type) throws IOException {
    String base = store("one");
    DatastoreConfig config = config("datastore: one", "\tpath %/one", "\tmaintenance-mode " + mode);
    assertThatThrownBy(() -> config.refuseUnusable(calls, base))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("maintenance mode '" + type + "'");
  }

  @Test
  void nested_configuredStores_refusedFromBothSides() throws IOException {
    String outer = store("outer");
    String inner = store("outer/inner");
    DatastoreConfig config =
        config("datastore: out", "\tpath %/outer", "", "datastore: in", "\tpath %/outer/inner/");
    assertThatThrownBy(() -> config.refuseUnusable(calls, outer))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("contains datastore in at");
    assertThatThrownBy(() -> config.refuseUnusable(calls, inner))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("lies inside datastore out at");
  }

  @Test
  void nested_notMounted_pathsAreEnough() throws IOException {
    String outer = store("outer");
    DatastoreConfig config =
        config("datastore: out", "\tpath %/outer", "", "datastore: in", "\tpath %/outer/none");
    assertThatThrownBy(() -> config.refuseUnusable(calls, outer))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("contains datastore in");
  }

  @Test
  void nested_byPathOnly_refused() throws IOException {
    store("outer");
    store("elsewhere");
    Files.createSymbolicLink(root.resolve("outer/link"), root.resolve("elsewhere"));
    DatastoreConfig config =
        config("datastore: out", "\tpath %/outer", "", "datastore: in", "\tpath %/outer/link");
    assertThatThrownBy(() -> config.refuseUnusable(calls, root + "/elsewhere"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("lies inside datastore out");
  }

  @Test
  void nested_behindALink_refused() throws IOException {
    String outer = store("outer");
    store("outer/inner");
    Files.createSymbolicLink(root.resolve("link"), root.resolve("outer/inner"));
    DatastoreConfig config =
        config("datastore: out", "\tpath %/outer", "", "datastore: in", "\tpath %/link");
    assertThatThrownBy(() -> config.refuseUnusable(calls, outer))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("contains datastore in");
    assertThatThrownBy(() -> config.refuseUnusable(calls, root + "/link"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("lies inside datastore out");
  }

  @Test
  void nested_withoutConfiguration_chunksAboveAreEnough() throws IOException {
    store("outer");
    String inner = store("outer/a/b/inner");
    DatastoreConfig config = config("");
    assertThatThrownBy(() -> config.refuseUnusable(calls, inner))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(inner + "/../../.. has .chunks");
    assertThatCode(() -> config.refuseUnusable(calls, store("beside"))).doesNotThrowAnyException();
  }
}
