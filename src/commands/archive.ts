import { join, resolve } from 'node:path'
import pg from 'pg'
import type { Config } from '#src/config.ts'
import { BackupRefused } from '#src/db/backup/errors.ts'
import { Failed, type Run } from './command.ts'

const PATIENCE_MS = 5000

/** The file a command names. */
export const parseFile = (run: Run, usage: string): string => {
  const [file, more] = run.positionals
  if (file === undefined || file === '' || more !== undefined) throw new Failed(`name one file; usage: ${usage}`)
  return resolve(file)
}

/**
 * The folder in which the installation stores uploaded files. With an object store a backup has no files: this is
 * then a folder that does not exist.
 */
export const locateObjectFolder = ({ storage, dataFolder }: Config): string =>
  'folder' in storage ? storage.folder : join(dataFolder, 'objects')

/** A number of bytes in a readable unit. */
export const bytesInWords = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${units[step]}`
}

/** Reports progress, at most one line in some seconds. */
export const patiently = (progress: Run['progress']): Run['progress'] => {
  let last = performance.now()
  return line => {
    if (performance.now() - last < PATIENCE_MS) return
    last = performance.now()
    progress(line)
  }
}

const isOfFiles = (error: Error): boolean =>
  'syscall' in error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))

/** The error of a failed backup or restore, as one line; `outcome` says what the state is now. */
export const inOneLine = (error: unknown, outcome: string): unknown => {
  if (error instanceof BackupRefused) return new Failed(error.message)
  if (error instanceof pg.DatabaseError && error.code === '55P03')
    return new Failed(`another process is using this database; stop all its servers first; ${outcome}`)
  if (error instanceof pg.DatabaseError) return new Failed(`the database refused: ${error.message}; ${outcome}`)
  if (error instanceof Error && (isOfFiles(error) || /^Connection terminated/.test(error.message)))
    return new Failed(`${error.message}; ${outcome}`)
  return error
}
