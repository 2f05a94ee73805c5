package io.tidemark.store;

/** How a collection locks a datastore. */
public enum LockMode {
  /** Backups go on, collections of Proxmox Backup Server do not. */
  SHARED,
  /** For a store that nobody else uses: every backup that starts meanwhile fails. */
  EXCLUSIVE
}
