import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { approveAs } from './confirming.ts'
import type { TestReply } from './http.ts'
import { sellProduct } from './products.ts'
import { type Uploader, uploader } from './uploads.ts'

/** The scopes of the tests of the bin: every kind of thing, and what is read beside it. */
export const SCOPES = [
  ...['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write', 'lecturers:read', 'lecturers:write'],
  ...['posts:read', 'posts:write', 'pages:read', 'pages:write', 'comments:read', 'school:read', 'school:write'],
  ...['digital_products:read', 'digital_products:write', 'membership_plans:read', 'membership_plans:write'],
]

/** A thing that can be deleted and restored. */
export type Binnable = {
  readonly id: string
  readonly name: string
  /** Its path, which a DELETE puts into the bin. */
  readonly path: string
  /** The path that ends it, once it is in the bin. */
  readonly purge: string
  /** What is read of it, and of what belongs to it. */
  readonly reads: readonly string[]
  /** Where everybody finds it on the site. */
  readonly pages: readonly string[]
  /** Its files, as uploads. */
  readonly files: readonly string[]
  /** Whether those who manage it read it while it is in the bin. */
  readonly isArchived?: boolean
}

type Make = (app: TestApp, ada: Uploader, name: string) => Promise<Binnable>

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const pixel = async (ada: Uploader, purpose: string): Promise<string> => {
  const { json, text } = await ada.upload(PIXEL, { filename: 'pixel.png', content_type: 'image/png', purpose })
  if (json.status !== 'ready') throw new Error(text)
  return json.file.file_id
}

const toUpload = (fileId: string): string => fileId.replace('fil_', 'upl_')

// Writes that succeed, one after the other.
const writing = (ada: Uploader) => async (method: 'POST' | 'PUT' | 'PATCH', path: string, body?: object) => {
  const reply = await ada.write(method, path, body, { 'if-match': '*' })
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`)
  return reply.json
}

const makeCourse: Make = async (_app, ada, word) => {
  const write = writing(ada)
  const name = `Course ${word}`
  const image = await pixel(ada, 'course')
  const { id } = await write('POST', '/courses', { name, image_file_id: image, tags: [word], external_id: `c-${word}` })
  const path = `/courses/${id}`
  const lecturer = (await ada.get('/lecturers?limit=1')).json.data[0].id
  await write('PUT', `${path}/lecturers/${lecturer}`)
  await write('POST', `${path}/prices`, { payment_type: 'one_time', amount: 4900 })
  const section = await write('POST', `${path}/sections`, { name: `Section ${word}` })
  const add = (body: object) =>
    write('POST', `/sections/${section.id}/lessons`, { status: 'published', preview: true, ...body })
  const text = await add({ name: `Text ${word}`, type: 'text', body: `Words of ${word}` })
  await write('PATCH', `/lessons/${text.id}`, { body: `Other words of ${word}` })
  await write('PUT', `/lessons/${text.id}/drip`, { mode: 'days_after_enrollment', value: 3 })
  const quiz = await add({ name: `Quiz ${word}`, type: 'quiz' })
  await write('PUT', `/lessons/${quiz.id}/quiz`, {
    questions: [{ kind: 'text', prompt: `What is ${word}?`, accepted_answers: [word] }],
  })
  const work = await add({ name: `Work ${word}`, type: 'assignment' })
  await write('PUT', `/lessons/${work.id}/assignment`, { instructions: `Bake ${word}` })
  const draft = await add({ name: `Draft ${word}`, type: 'text', status: 'draft' })
  await write('PUT', `${path}/publication`, {})
  const lessons = [text.id, quiz.id, work.id, draft.id]
  return {
    id,
    name,
    path,
    purge: `/bin${path}`,
    reads: [
      ...[path, `/courses/slug:course-${word}`, `${path}/prices`, `${path}/outline`],
      ...[
        `${path}/lessons`,
        `${path}/sections`,
        `/sections/${section.id}`,
        `/lessons/${text.id}/versions`,
        `/lessons/${text.id}/drip`,
      ],
      ...lessons.map(lesson => `/lessons/${lesson}`),
      ...[`/lessons/${quiz.id}/quiz`, `/lessons/${work.id}/assignment`],
    ],
    pages: [`/courses/course-${word}`],
    files: [toUpload(image)],
  }
}

const makeLesson: Make = async (app, ada, word) => {
  const { path: course } = await makeCourse(app, ada, `of-${word}`)
  const write = writing(ada)
  const section = (await ada.get(`${course}/sections`)).json.data[0]
  const name = `Lesson ${word}`
  const body = { name, type: 'text', status: 'published', preview: true, body: `Crumbs of ${word}`, position: 1 }
  const { id } = await write('POST', `/sections/${section.id}/lessons`, body)
  const path = `/lessons/${id}`
  return {
    id,
    name,
    path,
    purge: '',
    reads: [path, `${path}/versions`, `${course}/lessons`, `${course}/outline`, `/sections/${section.id}`],
    pages: [],
    files: [],
    isArchived: true,
  }
}

const makePost: Make = async (_app, ada, word) => {
  const write = writing(ada)
  const title = `Post ${word}`
  const cover = await pixel(ada, 'post')
  const body = { title, body: `News of ${word}`, tags: [word], cover_file_id: cover, external_id: `p-${word}` }
  const { id } = await write('POST', '/posts', body)
  const path = `/posts/${id}`
  await write('PATCH', path, { body: `Later news of ${word}`, slug: `renamed-${word}` })
  await write('PUT', `${path}/publication`, {})
  const reads = [path, `/posts/slug:post-${word}`, `/posts/slug:renamed-${word}`, `${path}/versions`]
  return {
    id,
    name: title,
    path,
    purge: `/bin${path}`,
    reads,
    pages: [`/blog/renamed-${word}`],
    files: [toUpload(cover)],
  }
}

const makePage: Make = async (_app, ada, word) => {
  const write = writing(ada)
  const title = `Page ${word}`
  const file = await pixel(ada, 'page')
  const blocks = [
    { type: 'text', body: `Lines of ${word}` },
    { type: 'image', file_id: file, alt: 'A pixel' },
  ]
  const { id } = await write('POST', '/pages', { title, blocks, redirects: [`/old-${word}`] })
  const path = `/pages/${id}`
  await write('PUT', `${path}/publication`, {})
  await write('PATCH', path, { title: `${title} today` })
  const reads = [path, `/pages/slug:page-${word}`, `/pages/slug:old-${word}`, `${path}/versions`]
  const pages = [`/page-${word}`, `/old-${word}`]
  return { id, name: `${title} today`, path, purge: `/bin${path}`, reads, pages, files: [toUpload(file)] }
}

const makeProduct: Make = async (_app, ada, word) => {
  const name = `Product ${word}`
  const image = await pixel(ada, 'product')
  const { id, path } = await sellProduct(ada, { name, image_file_id: image, external_id: `d-${word}` }, [
    `Pages of ${word}`,
  ])
  await writing(ada)('PATCH', path, { tags: [word] })
  const reads = [path, `/digital-products/slug:product-${word}`, `${path}/prices`, `${path}/files`]
  return { id, name, path, purge: `/bin${path}`, reads, pages: [`/products/product-${word}`], files: [toUpload(image)] }
}

/** How a thing of each kind is made, with everything that belongs to it. */
export const binnables: readonly { readonly kind: string; readonly make: Make }[] = [
  { kind: 'course', make: makeCourse },
  { kind: 'lesson', make: makeLesson },
  { kind: 'post', make: makePost },
  { kind: 'page', make: makePage },
  { kind: 'digital_product', make: makeProduct },
]

/** How the tests of an application delete, restore and find things, as Ada. */
export const useBin = (app: TestApp) => {
  const ada = () => uploader(app, 'ada', app.a, SCOPES)
  return {
    ada,
    /** Deletes a thing; Ada confirms it where an app alone may not. */
    async remove({ path }: Pick<Binnable, 'path'>): Promise<void> {
      const reply = await (await ada()).write('DELETE', path)
      if (reply.status === 202) await approveAs(app, 'ada', reply.json.confirmation.url)
      else assert.ok(reply.status < 300, reply.text)
    },
    async restore({ path }: Pick<Binnable, 'path'>, body?: object): Promise<TestReply> {
      return (await ada()).write('PUT', `${path}/restoration`, body)
    },
    async readBin(query = '?limit=100'): Promise<{ id: string; kind: string; name: string }[]> {
      const reply = await (await ada()).get(`/bin${query}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data
    },
  }
}
