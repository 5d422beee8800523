import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = [
  'students:read',
  'students:write',
  'courses:read',
  'members:read',
  'members:write',
  'account:read',
  'account:write',
]

test('smoke', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  for (const path of [
    '/students',
    '/students?q=dev&state=active',
    '/enrollments?state=active&include_total=true&expand=member,course',
    '/enrollments?after=0',
    '/courses/slug:first-loaf/enrollments?state=ended',
    '/account/enrollments',
  ]) {
    const { status, json, text } = await ben.get(path)
    console.log(path, status, json.data?.length, text.slice(0, 600))
  }
  const csv = await ben.get('/enrollments', { accept: 'text/csv' })
  console.log(csv.text)
  const { json } = await ben.get('/students?q=dev')
  const courses = (await ben.get('/courses?sort=name')).json.data
  for (const c of courses) {
    const x = await ben.get(`/students/${json.data[0].id}/access?course_id=${c.id}`)
    console.log(x.text)
  }
  assert.ok(true)
})
