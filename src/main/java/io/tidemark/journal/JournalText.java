package io.tidemark.journal;

import io.tidemark.store.FileIdentity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** The journal as text: a line with the version, one with a JSON object, and its checksum. */
final class JournalText {
  /*
   * The file is replaced as a whole, so it is torn only when a file system does not keep the order
   * of a rename and what was written before; the checksum tells. Numbers that mean something else
   * in another version must never be believed, so a version has no compatible neighbours.
   */
  static final int VERSION = 1;

  private static final String FIRST = "tidemark-journal ";
  private static final String LAST = "sha256 ";

  private JournalText() {}

  static byte[] format(Checkpoint checkpoint) {
    String head = FIRST + VERSION + "\n" + JSON.std.asString(fields(checkpoint)) + "\n";
    byte[] content = head.getBytes(StandardCharsets.UTF_8);
    return (head + LAST + checksum(content, content.length) + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads what {@link #format} wrote.
   *
   * @throws UnusableJournalException when it is torn or of another version
   */
  static Checkpoint parse(byte[] bytes) throws UnusableJournalException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    String[] lines = text.split("\n", -1);
    if (!lines[0].startsWith(FIRST)) {
      throw new UnusableJournalException("it is damaged");
    }
    if (!lines[0].equals(FIRST + VERSION)) {
      throw new UnusableJournalException(
          "it is of another version, %s instead of %d"
              .formatted(lines[0].substring(FIRST.length()), VERSION));
    }
    int last = text.lastIndexOf("\n" + LAST);
    byte[] content = text.substring(0, last + 1).getBytes(StandardCharsets.UTF_8);
    if (lines.length != 4
        || last < 0
        || !lines[2].equals(LAST + checksum(content, content.length))
        || !lines[3].isEmpty()) {
      throw new UnusableJournalException("it is torn");
    }
    try {
      return checkpoint(new Fields(JSON.std.mapFrom(lines[1])));
    } catch (JacksonException | IllegalArgumentException e) {
      throw new UnusableJournalException("it is damaged");
    }
  }

  private static String checksum(byte[] bytes, int length) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(bytes, 0, length);
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  private static Map<String, Object> fields(Checkpoint checkpoint) {
    Map<String, Object> fields = new LinkedHashMap<>();
    Origin origin = checkpoint.origin();
    fields.put("run", origin.run());
    fields.put("store", origin.store());
    fields.put("chunks-inode", origin.chunksInode());
    fields.put("strategy", origin.strategy());
    fields.put("start", origin.startSeconds());
    fields.put("oldest-writer", origin.oldestWriterSeconds());
    fields.put("minimum-atime", origin.minimumAtimeSeconds());
    fields.put("sequence", checkpoint.sequence());
    fields.put("noted", checkpoint.notedSeconds());
    fields.put("phase", checkpoint.phase().name());
    fields.put(
        "touched",
        List.of(
            checkpoint.touched().below(),
            checkpoint.touched().end(),
            checkpoint.touched().inode()));
    fields.put("swept", checkpoint.swept());
    fields.put("figures", checkpoint.figures());
    fields.put("indexes", checkpoint.indexes().stream().map(JournalText::index).toList());
    fields.put("missing", checkpoint.missing().stream().map(JournalText::missing).toList());
    return fields;
  }

  private static List<Object> index(MarkedIndex index) {
    FileIdentity identity = index.identity();
    return List.of(
        index.path(),
        identity.inode(),
        identity.size(),
        identity.modifiedNanos(),
        identity.changedNanos(),
        identity.header(),
        index.imageBytes(),
        index.entries(),
        index.done(),
        index.begun(),
        index.below());
  }

  private static List<Object> missing(MissingChunk chunk) {
    return List.of(chunk.digest(), chunk.index(), chunk.badFiles());
  }

  private static Checkpoint checkpoint(Fields fields) {
    Fields touched = fields.list("touched");
    List<MarkedIndex> indexes = new ArrayList<>();
    for (Fields index : fields.lists("indexes")) {
      indexes.add(
          new MarkedIndex(
              index.text(0),
              new FileIdentity(
                  index.number(1),
                  index.number(2),
                  index.number(3),
                  index.number(4),
                  index.text(5)),
              index.number(6),
              index.number(7),
              index.number(8),
              index.number(9),
              index.directory(10)));
    }
    List<MissingChunk> missing = new ArrayList<>();
    for (Fields chunk : fields.lists("missing")) {
      missing.add(new MissingChunk(chunk.text(0), chunk.text(1), (int) chunk.number(2)));
    }
    return new Checkpoint(
        new Origin(
            fields.text("run"),
            fields.text("store"),
            fields.number("chunks-inode"),
            fields.text("strategy"),
            fields.number("start"),
            fields.number("oldest-writer"),
            fields.number("minimum-atime")),
        fields.number("sequence"),
        fields.number("noted"),
        Checkpoint.Phase.valueOf(fields.text("phase")),
        new TouchClaim(touched.directory(0), touched.directory(1), touched.number(2)),
        fields.directory("swept"),
        fields.numbers("figures"),
        indexes,
        missing);
  }
}
