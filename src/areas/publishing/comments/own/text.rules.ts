import { bodyFor } from '#src/contract/body.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { Body } from '#src/kit/body/render.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { fold } from '#src/kit/text.ts'

/** The hash of a text, the same for texts that differ only in case, accents and white space. */
export const computeHash = (text: string): Buffer =>
  sha256(
    fold(text)
      .replace(/[\p{Z}\p{C}]+/gu, ' ')
      .trim(),
  )

const BLANK: Body = { body: '', body_format: 'markdown', body_html: '', body_allowed: 0 }

// Something that a person sees: a letter, a digit, a sign or an emoji, outside of tags.
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The rendered text of a comment; refuses one that cannot be rendered or shows nothing. */
export const renderComment = (text: string): Body => {
  const body = text.normalize('NFC')
  const rendered = bodyFor('comment', BLANK, { body, body_format: 'markdown' })
  if (!SEEN.test(rendered.body_html.replace(/<[^<>]*>/g, '')))
    refuseInvalid([{ pointer: '/body', code: 'empty', message: 'must show something' }])
  return rendered
}
