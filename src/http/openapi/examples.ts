import { readFileSync } from 'node:fs'

/** Where the recorded responses are; `npm run docs` writes the file. */
export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url)

/** The base URL of the school in recorded responses. */
export const EXAMPLE_BASE = 'https://school.example'

type Examples = Readonly<Record<string, unknown>>

let examples: Examples | undefined

/** The response recorded for an operation; undefined for one without a body. */
export const getExample = (id: string): unknown => {
  examples ??= JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples
  return examples[id]
}
