import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from './app.ts'
import { jsonBody, type TestReply } from './http.ts'
import { type Ran, stoaHere } from './stoa.ts'

/** A form as a file has it. */
type FormFile = Readonly<Record<string, unknown>> & { readonly slug: string }

/** Runs `stoa forms` for the first school of an application. */
export const runForms = (app: TestApp, ...args: string[]): Promise<Ran> =>
  stoaHere(['forms', ...args, '--school', app.a.baseUrl], {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
  })

/** Creates or changes a form, and publishes it unless `isDraft`; returns its id. */
export const putForm = async (app: TestApp, form: FormFile, { isDraft = false } = {}): Promise<string> => {
  const path = join(app.folder, `${randomUUID()}.json`)
  await writeFile(path, JSON.stringify({ title: 'A form', retention_days: 30, ...form }))
  const { code, out, err } = await runForms(app, 'import', path, '--json', ...(isDraft ? [] : ['--publish']))
  assert.equal(code, 0, err)
  return JSON.parse(out)[0].id
}

let network = 0

/** The headers of a request from a network that no other request is from; the application trusts its proxy. */
export const fromAnywhere = (): { readonly 'x-forwarded-for': string } => {
  network += 1
  return { 'x-forwarded-for': `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}` }
}

/** Submits a form without an account, from a network of its own unless headers say otherwise. */
export const submitTo = (
  app: Pick<TestApp, 'send'>,
  form: string,
  answers: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = fromAnywhere(),
): Promise<TestReply> => {
  const list = Object.entries(answers).map(([field_id, value]) => ({ field_id, value }))
  return app.send(
    jsonBody('POST', `/api/v1/forms/${form}/submissions`, { version: 1, answers: list, ...more }, headers),
  )
}

/** Sends a file to a field of a form. */
export const sendFileTo = (
  app: Pick<TestApp, 'send'>,
  form: string,
  { field, name, bytes, type = 'text/plain' }: { field: string; name: string; bytes: string | Buffer; type?: string },
): Promise<TestReply> => {
  const query = new URLSearchParams({ field_id: field, filename: name, content_type: type })
  return app.send({
    method: 'POST',
    path: `/api/v1/forms/${form}/uploads?${query}`,
    headers: { ...fromAnywhere(), 'content-type': 'application/octet-stream' },
    body: bytes,
  })
}
