/** Why a backup cannot be made, read or restored; its message is the one line a person needs. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

/** The refusal of a file that is no longer what was written. */
export const damaged = (why: string): BackupRefused =>
  new BackupRefused(`the backup is damaged or was changed: ${why}; nothing was restored`)
