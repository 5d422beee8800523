import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { TEACHING } from '#testing/learning.ts'
import { sellCourse } from '#testing/offers.ts'

const app = testApp()
const FREE = { payment_type: 'free', amount: 0 }

/** Sends the form of the page on which somebody enrolls, in a language; returns the answer. */
const enrollAs = async (name: PersonName, slug: string, language = 'en') => {
  const headers = { 'accept-language': language }
  const browser = await enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })
  const page = await browser.open(`/account/enroll?course=${slug}`, headers)
  return browser.submit(formTo(page, `/account/enroll?course=${slug}`), [], headers)
}

test('the page on which a person enrolls says why they are not enrolled', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id } = await sellCourse(ada, 'One seat', [{ ...FREE, enrollment_cap: 1 }])
  const { slug } = (await ada.get(`/courses/${id}`)).json
  const done = await enrollAs('dev', slug)
  assert.match(done.text, /One seat/)
  const refused = async (name: PersonName, language?: string) => {
    const { status, text } = await enrollAs(name, slug, language)
    assert.equal(status, 409)
    return /<p[^>]*class="[^"]*refused[^"]*"[^>]*>([^<]*)</.exec(text)?.[1] ?? text
  }
  assert.match(await refused('dev'), /You already have this course\./)
  assert.match(await refused('eli'), /All free seats of this course are taken\./)
  const [enrollment] = (await ada.get(`/enrollments?course_id=${id}`)).json.data
  assert.equal((await ada.write('DELETE', `/enrollments/${enrollment.id}`)).status, 200)
  assert.match(await refused('dev'), /The school ended your access to this course/)
  assert.match(await refused('dev', 'pt'), /A escola terminou o seu acesso a este curso/)
})
