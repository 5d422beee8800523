import type { IncomingMessage } from 'node:http'

/**
 * The values of a header by its name in lower case, one for each line that was sent. Node keeps the first of some headers in
 * `raw.headers` and joins others, and `raw.headersDistinct` copies all of them at the first use.
 */
export const readValues = ({ rawHeaders }: IncomingMessage, name: string): string[] => {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
