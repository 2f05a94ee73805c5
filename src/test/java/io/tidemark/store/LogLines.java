package io.tidemark.store;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Collects the lines that a run logs, from its creation until it is closed. */
public final class LogLines implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.tidemark");
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  public LogLines() {
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    appender.start();
    logger.addAppender(appender);
  }

  /** Returns the messages so far. */
  public List<String> lines() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
