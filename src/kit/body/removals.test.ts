import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BodyFormat, buildNotes, renderBody } from './render.ts'

test('what an author wrote and the profile does not allow is counted', () => {
  const source = `<div><p style="color:red">a</p><iframe src="https://a.example"></iframe><iframe></iframe>
    <video controls><source src="a.mp4"><track></video><ruby>a<rt>b</rt></ruby><svg><path/></svg><p>b</p></div>`
  const body = renderBody('post', source, 'html')
  assert.ok(typeof body !== 'string')
  assert.deepEqual(buildNotes('post', [body]).removed, [
    ['style', 1],
    ['iframe', 2],
    ['video', 1],
    ['ruby', 1],
    ['rt', 1],
    ['svg', 1],
  ])
})

const removedFrom = (source: string, format: BodyFormat) => {
  const body = renderBody('lesson', source, format)
  assert.ok(typeof body !== 'string')
  return buildNotes('lesson', [body]).removed
}

test('addresses that a text may not have are counted in both formats, and others are not', () => {
  const markdown = '[a](/courses/x) [b](www.example.org) [c](sms:1) [d](#) ![e](http://a.example/e.png) ![f](f.png)'
  assert.deepEqual(removedFrom(markdown, 'markdown'), [
    ['href', 4],
    ['img', 2],
  ])
  const html =
    '<a href="ftp://a.example">a</a><img src="data:image/png;base64,AAAA" alt=""><video><a href="/x">b</a></video>'
  assert.deepEqual(removedFrom(html, 'html'), [
    ['href', 1],
    ['img', 1],
    ['video', 1],
  ])
  const fine = '[a](https://a.example) [b](mailto:a@b.example) [c](tel:+351) [d](#words)\n\n# Words'
  assert.deepEqual(removedFrom(fine, 'markdown'), [])
})
