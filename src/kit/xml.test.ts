import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readXml, XmlError, type XmlHandlers } from './xml.ts'

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const noteParts = (emit: (part: string) => void): XmlHandlers => ({
  open: (name, attributes) => emit(`<${name} ${JSON.stringify(attributes)}>`),
  close: name => emit(`</${name}>`),
  text: part => emit(part),
})

const readParts = async (document: string | Buffer, size = 65_536): Promise<string[]> => {
  const parts: string[] = []
  for await (const part of readXml(chunked(Buffer.from(document), size), noteParts)) parts.push(part)
  return parts
}

const refuses = async (fault: string, document: string | Buffer): Promise<void> =>
  assert.rejects(readParts(document), error => error instanceof XmlError && error.fault === fault)

test('elements, attributes and texts come in their order, without prefixes, comments and declarations', async () => {
  const document = `<?xml version="1.0" encoding="UTF-8"?>
<x:a xmlns:x="urn:a" x:id="1" id2="é &amp; &#x1F600;"><!-- no --><b/>caf&#233; <![CDATA[<1>]]></x:a>`
  const parts = ['<a {"id":"1","id2":"é & 😀"}>', '<b {}>', '</b>', 'café ', '<1>', '</a>']
  for (const size of [1, 2, 3, 7, 65_536])
    assert.deepEqual(
      (await readParts(document, size)).filter(part => part !== '\n'),
      parts,
      String(size),
    )
})

test('documents of UTF-16 are read in both orders of bytes', async () => {
  const little = Buffer.from('\ufeff<a>São</a>', 'utf16le')
  for (const document of [little, Buffer.from(little).swap16()])
    assert.deepEqual(await readParts(document), ['<a {}>', 'São', '</a>'])
})

test('a DOCTYPE is refused, with entities, with an external file and empty', async () => {
  await refuses('doctype', '<!DOCTYPE a><a/>')
  await refuses('doctype', '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>')
  await refuses('doctype', '<!DOCTYPE a [<!ENTITY x "1"><!ENTITY y "&x;&x;">]><a>&y;</a>')
  await refuses('doctype', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')
})

test('what is not well-formed is refused: elements, entities, attributes, bytes, an end that is missing', async () => {
  for (const document of [
    '',
    'a',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a>&x;</a>',
    '<a b="1" b="2"/>',
    '<a b=1/>',
    '<a>\u0000</a>',
  ])
    await refuses('not_well_formed', document)
  await refuses('not_well_formed', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))
})

test('depth, names and texts have bounds', async () => {
  const nest = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  assert.equal((await readParts(nest(100))).length, 200)
  await refuses('too_deep', nest(101))
  assert.equal((await readParts(`<${'a'.repeat(256)}/>`)).length, 2)
  await refuses('name_too_long', `<${'a'.repeat(257)}/>`)
  await refuses('name_too_long', `<a ${'b'.repeat(257)}="1"/>`)
  const most = 'x'.repeat(9_900_000)
  assert.equal((await readParts(`<a>${most}</a>`))[1], most)
  const more = 'x'.repeat(10_100_000)
  for (const document of [`<a>${more}</a>`, `<a b="${more}"/>`, `<a><!--${more}--></a>`, `<!DOCTYPE a [${more}`])
    await refuses('text_too_long', document)
})

test('any text is read as it was written, however its bytes arrive', async () => {
  const text = fc
    .string({ unit: 'binary' })
    .filter(one => !/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(one))
  const writeText = (one: string) => one.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (one, size) => {
      const [, ...parts] = await readParts(`<a>${writeText(one)}</a>`, size)
      assert.equal(parts.slice(0, -1).join(''), one)
    }),
  )
})
