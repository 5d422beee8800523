import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#src/kit/locale.ts'
import { Account, ProfileChanges } from '../src/areas/people/account/profile/schema.ts'
import { areas, listMailKinds } from '../src/areas.ts'
import { isTable, listNames, listPhrases, mailKindsByName, marketing, notifications } from '../src/contract/mail.ts'
import { renderMail } from '../src/identity/mail/render.ts'

const kinds = listMailKinds(areas)

/** The mails that a person may turn off; codes, receipts and what concerns the security of an account are not among them. */
const MUTABLE: readonly (readonly [kind: string, choice: string])[] = [
  ['lesson_opened', 'lesson_opened'],
  ['comment_replied', 'comment_replied'],
  ['comments_waiting', 'comments_waiting'],
  ['post_mailing', 'marketing_consent'],
  ['product_file_replaced', 'product_updated'],
  ['event_reminder', 'event_reminder'],
]

const HOSTILE = `<a href="//x.example">'&\r\nBcc: x@y.example`
const ESCAPED = '&lt;a href=&quot;//x.example&quot;&gt;&#39;&amp; Bcc: x@y.example'

test('every kind of mail has a name of its own and texts in every language', () => {
  assert.equal(mailKindsByName(kinds).size, kinds.length)
  for (const kind of kinds) {
    const { name } = kind
    const phrases = [
      ...listPhrases(kind),
      ...kind.paragraphs.filter(isTable).flatMap(({ columns }) => columns.flatMap(({ heading }) => heading ?? [])),
    ]
    const valuesIn = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, value]) => value).sort()
    for (const phrase of phrases)
      for (const language of languages) {
        assert.ok(phrase[language], name)
        assert.deepEqual(valuesIn(phrase[language]), valuesIn(phrase.en), `${name}: ${phrase.en}`)
      }
  }
  assert.throws(() => mailKindsByName([...kinds, ...kinds.slice(0, 1)]), /the same name/)
})

for (const kind of kinds)
  test(`the mail ${kind.name} takes every value as one line of text, in its subject, its text and its HTML`, () => {
    const names = listNames(kind)
    for (const locale of ['en', 'pt']) {
      const { subject, text, html } = renderMail(kind, locale, Object.fromEntries(names.map(name => [name, HOSTILE])))
      assert.doesNotMatch(subject, /[\r\n]/)
      assert.ok(!html.includes('<a href="//x.example'), html)
      assert.doesNotMatch(text, /^Bcc/m)
      if (names.length > 0) assert.ok(html.includes(ESCAPED), html)
      assert.ok(html.includes(`<html lang="${locale}">`))
      assert.ok(!/\{\w+\}/.test(subject + text), 'every value is filled in')
    }
  })

test('the mails that a person may turn off are these, and each has a choice in the account', () => {
  assert.deepEqual(
    kinds.flatMap(({ name, mute }) => (mute === undefined ? [] : [[name, mute.key]])),
    MUTABLE,
  )
  const choices = [...notifications, marketing]
  for (const { name, mute } of kinds) assert.ok(mute === undefined || choices.includes(mute), name)
  const keys = notifications.map(({ key }) => key)
  assert.deepEqual(Object.keys(Account.properties.notifications.properties), keys)
  assert.deepEqual(Object.keys(ProfileChanges.properties.notifications.properties), keys)
})
