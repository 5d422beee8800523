import type { ProfileName } from '#src/kit/body/profiles.ts'
import {
  type Body,
  type BodyError,
  type BodyFormat,
  type BodyNotes,
  buildNotes,
  renderBody,
} from '#src/kit/body/render.ts'
import { filesNamed } from '#src/kit/body/shown.ts'
import { texts } from '#src/texts/index.ts'
import { fill, type Language, type Phrase } from './language.ts'
import { Refusal } from './problem.ts'
import { invalidBody } from './problems.ts'
import type { Warning } from './warning.ts'

const MAX_FILES = 50

const MESSAGES: Readonly<Record<BodyError | 'too_many_files', string>> = {
  too_complex:
    'takes too long to render: it nests more than 500 elements, or has more than 30,000 characters of Markdown markup',
  too_long: 'is too long when it is rendered',
  too_many_files: `refers to more than ${MAX_FILES} files`,
}

const refuseBody = (code: keyof typeof MESSAGES): never => {
  throw new Refusal(invalidBody, 'The text cannot be rendered.', {
    errors: [{ pointer: '/body', code, message: MESSAGES[code] }],
  })
}

/** The text of a request; a field that is left out keeps its value. */
export type BodyInput = { readonly body?: string; readonly body_format?: BodyFormat }

/** The rendered text after a change; refuses one that cannot be rendered. `ready` may have been rendered before. */
export const bodyFor = (profile: ProfileName, before: Body, input: BodyInput, ready?: Body): Body => {
  const { body = before.body, body_format: format = before.body_format } = input
  if (body === before.body && format === before.body_format) return before
  if (ready?.body === body && ready.body_format === format) return ready
  const rendered = renderBody(profile, body, format)
  if (typeof rendered === 'string') return refuseBody(rendered)
  return filesNamed(rendered.body_html).length > MAX_FILES ? refuseBody('too_many_files') : rendered
}

const { removed: removedText, alternatives, dead, instead } = texts.contract.body

const INSTEAD: Readonly<Record<string, Phrase>> = instead

const SHOWN = 20

// With what to write instead; undefined where nothing was removed.
const describeRemoved = (removed: BodyNotes['removed'], language: Language): string | undefined => {
  if (removed.length === 0) return undefined
  const names = removed.slice(0, SHOWN)
  const advice = names.flatMap(([name]) => {
    const advice = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined
    return advice === undefined ? [] : [fill(advice, language)]
  })
  const list = fill(removedText, language, { list: names.map(([name, count]) => `${name} (${count})`).join(', ') })
  return advice.length === 0 ? list : `${list} ${fill(alternatives, language, { list: advice.join('; ') })}`
}

const describeDead = (fragments: BodyNotes['deadFragments'], language: Language): string | undefined =>
  fragments.length === 0
    ? undefined
    : fill(dead, language, {
        list: fragments
          .slice(0, SHOWN)
          .map(name => `#${name}`)
          .join(', '),
      })

/** The same warnings as sentences for the author of texts that are shown together, in a language. */
export const describeNotes = (profile: ProfileName, texts: readonly BodyInput[], language: Language): string[] => {
  const { removed, deadFragments } = buildNotes(
    profile,
    texts.map(({ body = '', body_format = 'markdown' }) => ({ body, body_format, body_html: '', body_allowed: 0 })),
  )
  return [describeRemoved(removed, language), describeDead(deadFragments, language)].filter(
    sentence => sentence !== undefined,
  )
}

/** The warnings about texts that are shown together: what of them was removed, and links to headings that they do not have. */
export const warningsOfTexts = (profile: ProfileName, texts: readonly Body[]): Warning[] => {
  const { removed, deadFragments } = buildNotes(profile, texts)
  const found = [
    ['content_removed', describeRemoved(removed, 'en')],
    ['dead_fragment', describeDead(deadFragments, 'en')],
  ] as const
  return found.flatMap(([code, message]) => (message === undefined ? [] : [{ code, message, ids: [] }]))
}
