package io.tidemark.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;

/** The journal of one datastore in the state directory. */
public final class JournalFile {
  private final Path path;

  private JournalFile(Path path) {
    this.path = path;
  }

  /**
   * Returns the journal of the datastore at {@code store}, whether or not there is one.
   *
   * @param name the datastore's name, for people who look into the directory
   */
  public static JournalFile of(Path stateDirectory, String name, String store) {
    String readable = name.replaceAll("[^A-Za-z0-9._-]", "_");
    UUID path = UUID.nameUUIDFromBytes(store.getBytes(StandardCharsets.UTF_8));
    return new JournalFile(stateDirectory.resolve(readable + "-" + path + ".journal"));
  }

  public Path path() {
    return path;
  }

  /**
   * Reads the journal; empty when there is none.
   *
   * @throws UnusableJournalException when it is torn, damaged or of another version
   */
  public Optional<Checkpoint> read() throws UnusableJournalException {
    try {
      return Optional.of(JournalText.parse(Files.readAllBytes(path)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UnusableJournalException("it cannot be read (" + e + ")");
    }
  }

  /**
   * Replaces the journal, durably: afterwards there is this one, whatever happens; before, the old.
   *
   * @throws IOException when that fails; the old one is then still there
   */
  public void write(Checkpoint checkpoint) throws IOException {
    Path directory = Files.createDirectories(path.toAbsolutePath().getParent());
    Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
    try (FileChannel file =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(JournalText.format(checkpoint));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
    Files.move(
        temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  /**
   * Removes the journal, if there is one.
   *
   * @throws IOException when that fails
   */
  public void delete() throws IOException {
    Files.deleteIfExists(path);
  }
}
