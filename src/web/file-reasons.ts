import { texts } from '#src/texts/index.ts'

/** Why a file that somebody chose cannot be stored or used, by the code of the refusal. */
export const fileReasons = texts.fileReasons
