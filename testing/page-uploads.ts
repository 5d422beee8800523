import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie } from './account-pages.ts'
import { PASSWORD, type PersonName, type TestApp } from './app.ts'
import type { Browser } from './browser.ts'
import type { TestReply } from './http.ts'

type Fields = Readonly<Record<string, string>>

/** A file as a test names it. */
export type NamedFile = { readonly name: string; readonly type: string; readonly bytes: Buffer }

/** Somebody on a page whose files are sent before its form, as the module `upload` does it. */
export type PageUploads = {
  readonly browser: Browser
  readonly token: string
  /** Posts fields with the token of the page, unless they name another. */
  post(path: string, fields: Fields, headers?: Fields): Promise<TestReply>
  /** Posts fields and a file in one form. */
  postFile(path: string, fields: Fields, file: NamedFile, headers?: Fields): Promise<TestReply>
  get(path: string): Promise<TestReply>
  announce(file: NamedFile, purpose: string, more?: Fields): Promise<TestReply>
  sendPiece(id: string, bytes: Buffer, range?: string, fields?: Fields): Promise<TestReply>
  /** Announces, sends and completes a file; returns its id as an upload. */
  upload(file: NamedFile, purpose: string, more?: Fields): Promise<string>
}

const readToken = ({ text }: TestReply): string => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Signs a person in and reads the token of their page. */
export const openUploads = async (app: TestApp, name: PersonName, school: School = app.a): Promise<PageUploads> => {
  const browser = await enterAccount({ port: app.port, school, email: people[name].email, password: PASSWORD })
  const token = readToken(await browser.open('/account/settings/sign-in')) || readToken(await browser.open('/account'))
  const headers = { cookie: formatCookie(browser), accept: 'application/json' }
  const post: PageUploads['post'] = (path, fields, more = {}) =>
    app.send(
      {
        method: 'POST',
        path,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', ...more },
        body: new URLSearchParams({ token, ...fields }).toString(),
      },
      school,
    )
  const postFile: PageUploads['postFile'] = async (path, fields, file, more = {}) => {
    const data = new FormData()
    for (const [key, value] of Object.entries({ token, ...fields })) data.set(key, value)
    data.set('file', new File([new Uint8Array(file.bytes)], file.name, { type: file.type }))
    const request = new Request('http://x.example', { method: 'POST', body: data })
    const type = request.headers.get('content-type') ?? ''
    const body = Buffer.from(await request.arrayBuffer())
    return app.send({ method: 'POST', path, headers: { ...headers, 'content-type': type, ...more }, body }, school)
  }
  const announce: PageUploads['announce'] = ({ name: filename, type, bytes }, purpose, more = {}) =>
    post('/staff/uploads', { name: filename, type, bytes: String(bytes.length), purpose, ...more })
  const sendPiece: PageUploads['sendPiece'] = (id, bytes, range, fields = {}) => {
    const all = { bytes: String(bytes.length), ...(range === undefined ? {} : { range }), ...fields }
    return postFile(`/staff/uploads/${id}/content`, all, { name: 'piece', type: 'application/octet-stream', bytes })
  }
  return {
    browser,
    token,
    post,
    postFile,
    get: path => app.send({ path, headers }, school),
    announce,
    sendPiece,
    async upload(file, purpose, more) {
      const { json, text, status } = await announce(file, purpose, more)
      if (status !== 200) throw new Error(`not announced: ${status} ${text}`)
      const size = file.bytes.length
      const sent = await sendPiece(json.id, file.bytes, `bytes 0-${size - 1}/${size}`)
      if (sent.status !== 200) throw new Error(`not sent: ${sent.status} ${sent.text}`)
      const done = await post(`/staff/uploads/${json.id}`, { act: 'complete' })
      if (done.status !== 200) throw new Error(`not completed: ${done.status} ${done.text}`)
      return json.id
    },
  }
}
