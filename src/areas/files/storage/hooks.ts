import { hook } from '#src/contract/hook.ts'

/** A thing that refers to a file. */
export type FileUse = {
  readonly fileId: string
  readonly kind: string
  readonly id: string
  /** What staff call it. */
  readonly name?: string
  /** The id of what it is a part of. */
  readonly within?: string
  /** Whether it is handed over as it was uploaded, and never shown. */
  readonly isDownload?: boolean
}

/** Asks later areas which of their resources refer to any of these files, by the ids of their rows. */
export const usesOf = hook<{ readonly fileIds: readonly string[] }, readonly FileUse[]>('usesOf')

/** Asks later areas which of these files something public refers to, so that anybody may see them. */
export const filesPublic = hook<{ readonly fileIds: readonly string[] }, readonly string[]>('filesPublic')
