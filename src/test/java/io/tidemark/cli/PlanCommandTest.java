package io.tidemark.cli;

import static io.tidemark.collect.StoreFixture.OLD;
import static io.tidemark.collect.StoreFixture.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.collect.StoreFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.jr.ob.JSON;

/** The plan as people and scripts read it. */
class PlanCommandTest {
  @TempDir private Path temporary;
  private StoreFixture store;
  private final Console console = new Console();

  @BeforeEach
  void make() {
    store = new StoreFixture(temporary);
    store.snapshot(store.chunk(OLD), store.chunk(OLD), store.chunk(YOUNG));
    store.chunk(OLD);
    store.chunk(YOUNG);
    store.remember();
  }

  @AfterEach
  void close() {
    console.close();
    store.close();
  }

  private int plan(String... words) {
    String[] line = new String[words.length + 2];
    line[0] = "plan";
    line[1] = store.base.toString();
    System.arraycopy(words, 0, line, 2, words.length);
    return Main.execute(ServerOptions.with(store, line).toArray(String[]::new));
  }

  private Map<String, Object> json(String... words) throws IOException {
    String[] line = new String[words.length + 1];
    line[0] = "--json";
    System.arraycopy(words, 0, line, 1, words.length);
    assertThat(plan(line)).isZero();
    return JSON.std.mapFrom(console.printed());
  }

  @SuppressWarnings("unchecked") // objects of a JSON text are maps
  private static Map<String, Object> map(Map<String, Object> of, String name) {
    return (Map<String, Object>) of.getOrDefault(name, Map.of());
  }

  @Test
  void text_saysWhatWouldBeFreedAndOnWhatThatRests() {
    assertThat(plan()).isZero();

    assertThat(console.printed())
        .contains("all index files, and 6 of 6 directories, 5 chunks in them")
        .containsPattern("Chunks +5  500 B")
        .containsPattern("Garbage, freed now +1  100 B  20.00 %")
        .containsPattern("Garbage, pending +1  100 B  20.00 %")
        .contains("all pending can go from " + store.now.minus(YOUNG).plusSeconds(1445 * 60))
        .containsPattern("ordered +[0-9.]+ (s|min) to")
        .contains("--strategy ordered")
        .doesNotContain("95 %");
    store.assertUnchanged();
  }

  @Test
  void json_hasTheSameFigures() throws IOException {
    Map<String, Object> plan = json();

    assertThat(plan).containsEntry("basis", "references").containsEntry("references", 3);
    assertThat(map(map(map(plan, "estimates"), "freed"), "bytes"))
        .containsEntry("low", 100)
        .containsEntry("estimate", 100)
        .containsEntry("high", 100);
    assertThat(map(plan, "seconds-by-strategy"))
        .containsOnlyKeys("immediate", "prefetch", "deferred", "ordered");
  }

  @Test
  void exact_tellsMissingChunksWithStatusOne() {
    store.snapshot(store.missing());

    assertThat(plan("--exact")).isEqualTo(ExitStatus.WARNINGS);
    assertThat(console.printed())
        .contains("all index files and all chunks")
        .containsPattern("Missing chunks +1");
  }

  @Test
  void without_tellsWhatWouldBeGarbage() throws IOException {
    Map<String, Object> study = json("--without", "vm/100");

    assertThat(map(study, "all"))
        .containsEntry("unique-chunks", 3)
        .containsEntry("unique-bytes", 300)
        .containsEntry("unique-old-chunks", 2);

    console.reset();
    assertThat(plan("--without", "vm/100/2026-01-01T00:00:00Z")).isZero();
    assertThat(console.printed())
        .containsPattern("vm/100/2026-01-01T00:00:00Z +300 B in 3 +300 B in 3 +0 B in 0 +0")
        .containsPattern("vm/100 .1 of 1 snapshots. +300 B in 3")
        .contains("Without all of these, 3 chunks (300 B) would be garbage")
        .contains("A collection now would free 2 of them (200 B), and one begun after")
        .contains(store.now.minus(YOUNG).plusSeconds(1445 * 60) + " all.");
    store.assertUnchanged();
  }

  @Test
  void namespace_saysWhereSnapshotsAre() throws IOException {
    store.index("ns/a/ns/b/ct/7/2026-01-01T00:00:00Z/x.didx", store.chunk(OLD));

    assertThat(map(json("--ns", "a/b", "--without", "ct/7"), "all"))
        .containsEntry("unique-chunks", 1);
  }

  @Test
  void wrongUsage_isToldApartFromWhatIsNotThere() {
    assertThat(plan("--without", "../vm/100")).isEqualTo(ExitStatus.USAGE);
    assertThat(plan("--ns", "a")).isEqualTo(ExitStatus.USAGE);
    assertThat(plan("--exact", "--without", "vm/100")).isEqualTo(ExitStatus.USAGE);
    assertThat(plan("--time", "0s")).isEqualTo(ExitStatus.USAGE);
    assertThat(plan("--without", "vm/999")).isEqualTo(ExitStatus.REFUSED);
    assertThat(console.complained()).contains("there is no vm/999 in " + store.base);
  }

  @Test
  void damagedIndexFile_endsThePlanWithItsPath() {
    store.remove("vm");
    Path index = store.index("vm/100/2026-01-01T00:00:00Z/a.fidx", store.chunk(OLD));
    StoreFixture.unchecked(() -> Files.write(index, new byte[5000]));

    assertThat(plan()).isEqualTo(ExitStatus.REFUSED);
    assertThat(console.complained()).contains(index.toString()).contains("magic");
  }
}
