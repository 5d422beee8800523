import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type PersonName, testApp } from '#testing/app.ts'
import { fetched, uploader } from '#testing/uploads.ts'

const app = testApp()
const WRITES = ['courses:read', 'courses:write', 'lecturers:read', 'lecturers:write']

const drawn = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a52' } })
  .png()
  .toBuffer()

const picture = async (purpose: string, by: PersonName = 'ada'): Promise<string> => {
  const own = await uploader(app, by)
  const { json } = await own.upload(drawn, { filename: 'crumb.png', content_type: 'image/png', purpose })
  return json.file.file_id
}

const readBody = async (path: string) => (await app.send({ path: `/api/v1${path}` })).json

test('everybody can open the picture of a published course, and before only those who may see it', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const id = await picture('course')
  const rye = '/courses/slug:rye-for-the-patient'
  const { status, json, text } = await ada.write('PATCH', rye, { image_file_id: id })
  assert.equal(status, 200, text)
  assert.equal(json.image.file_id, id)
  assert.notEqual(json.image.url_expires_at, null)
  assert.equal((await fetched(json.image.url)).status, 200)
  const bare = json.image.url.split('?')[0]
  assert.equal((await fetched(bare)).status, 404, 'a draft shows nothing without a link of its own')
  await ada.write('PATCH', '/courses/slug:sourdough-from-scratch', { image_file_id: id })
  const { image } = await readBody('/courses/slug:sourdough-from-scratch')
  assert.deepEqual([image.url, image.url_expires_at], [bare, null])
  assert.deepEqual((await fetched(bare)).bytes, drawn)
  await ada.write('PATCH', '/courses/slug:sourdough-from-scratch', { image_file_id: null })
  assert.equal((await fetched(bare)).status, 404)
})

test('everybody can open a portrait while the profile is visible', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const id = await picture('avatar')
  const carla = '/lecturers/slug:carla-nunes'
  const { status, json, text } = await ada.write('PATCH', carla, { avatar_file_id: id })
  assert.equal(status, 200, text)
  assert.deepEqual([json.avatar.file_id, json.avatar.url_expires_at], [id, null])
  assert.equal((await fetched((await readBody(carla)).avatar.url)).status, 200)
  const [shown] = (await readBody('/courses/slug:sourdough-from-scratch?expand=lecturers')).lecturers
  assert.equal(shown.avatar.url, json.avatar.url)
  await ada.write('PATCH', carla, { visibility: 'hidden' })
  assert.equal((await fetched(json.avatar.url)).status, 404)
})

test('a file for another purpose, or one that is no picture of this school, is refused and changes nothing', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const rye = '/courses/slug:rye-for-the-patient'
  // The link to its picture ends an hour later when the hour is over.
  const stored = async () => {
    const { image, ...course } = (await ada.get(rye)).json
    return { ...course, picture: image?.file_id }
  }
  const before = await stored()
  const theirs = await uploader(app, 'ada', app.b)
  const foreign = await theirs.upload(drawn, { filename: 'x.png', content_type: 'image/png', purpose: 'course' })
  for (const id of [await picture('avatar'), foreign.json.file.file_id]) {
    const { status, json } = await ada.write('PATCH', rye, { image_file_id: id })
    assert.deepEqual([status, json.code, json.errors[0].pointer], [422, 'invalid_body', '/image_file_id'])
  }
  assert.deepEqual(await stored(), before)
})

test('F-04 a lecturer uses their own pictures, and makes no file of another lesson public', async () => {
  const carla = await app.actor('carla', { scopes: WRITES })
  const sourdough = '/courses/slug:sourdough-from-scratch'
  const theirs = await picture('course')
  const replies = [
    await carla.write('PATCH', sourdough, { image_file_id: theirs }),
    await carla.write('POST', '/courses', { name: 'With a picture', image_file_id: theirs }),
    await carla.write('PATCH', '/lecturers/slug:carla-nunes', { avatar_file_id: await picture('avatar') }),
  ]
  const errors = replies.map(({ status, json }) => [status, json.errors?.[0].pointer])
  assert.deepEqual(errors, [
    [422, '/image_file_id'],
    [422, '/image_file_id'],
    [422, '/avatar_file_id'],
  ])
  const own = await carla.write('PATCH', sourdough, { image_file_id: await picture('course', 'carla') })
  assert.equal(own.status, 200, own.text)
  const portrait = await picture('avatar', 'carla')
  assert.equal((await carla.write('PATCH', '/lecturers/slug:carla-nunes', { avatar_file_id: portrait })).status, 200)
  // What staff chose stays when a lecturer changes something else, and comes along with a copy.
  const ada = await app.actor('ada', { scopes: WRITES })
  assert.equal((await ada.write('PATCH', sourdough, { image_file_id: theirs })).status, 200)
  assert.equal((await carla.write('PATCH', sourdough, { subtitle: 'Still hers' })).json.image_file_id, theirs)
  const copy = await carla.write('POST', `${sourdough}/copies`, {})
  assert.deepEqual([copy.status, copy.json.image_file_id], [201, theirs], copy.text)
})
