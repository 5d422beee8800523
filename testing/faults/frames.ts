/** One message of PostgreSQL's protocol as it is sent: its type, if it has one, its length and its content. */
export type Frame = Buffer

/** Cuts a stream into messages; the first message of a client has no type. */
export const createCutter = (startsTyped: boolean): ((chunk: Buffer) => Frame[]) => {
  let rest = Buffer.alloc(0)
  let isTyped = startsTyped
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    for (;;) {
      const head = isTyped ? 1 : 0
      if (rest.length < head + 4) return frames
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return frames
      frames.push(rest.subarray(0, length))
      rest = rest.subarray(length)
      isTyped = true
    }
  }
}

/** Returns the letter of a message's type. */
export const readType = (frame: Frame): string => String.fromCharCode(frame[0] ?? 0)

/** Returns the zero-terminated texts at the beginning of a typed message. */
export const parseTexts = (frame: Frame): string[] => frame.toString('utf8', 5).split('\0')

const frame = (type: string, ...parts: readonly (string | Buffer)[]): Frame => {
  const content = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

/** Builds a simple query. */
export const simpleQuery = (text: string): Frame => frame('Q', text)

/** Builds a statement without parameters in the extended protocol, up to its execution and without the Sync after it. */
export const extendedQuery = (text: string): Frame[] => [
  frame('P', '', text, Buffer.alloc(2)),
  frame('B', '', '', Buffer.alloc(6)),
  frame('E', '', Buffer.alloc(4)),
]

/** The message of a server that refuses a connection. */
export const fatalError = (state: string): Frame =>
  frame('E', 'SFATAL', 'VFATAL', `C${state}`, 'Mrefused by the test', Buffer.alloc(1))
