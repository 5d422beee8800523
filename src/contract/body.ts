import type { ProfileName } from '#src/kit/body/profiles.ts'
import { type Body, type BodyError, type BodyFormat, renderBody } from '#src/kit/body/render.ts'
import { filesNamed } from '#src/kit/body/shown.ts'
import { Refusal } from './problem.ts'
import { invalidBody } from './problems.ts'

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
type BodyInput = { readonly body?: string; readonly body_format?: BodyFormat }

/** The rendered text after a change; refuses one that cannot be rendered. `ready` may have been rendered before. */
export const bodyFor = (profile: ProfileName, before: Body, input: BodyInput, ready?: Body): Body => {
  const { body = before.body, body_format: format = before.body_format } = input
  if (body === before.body && format === before.body_format) return before
  if (ready?.body === body && ready.body_format === format) return ready
  const rendered = renderBody(profile, body, format)
  if (typeof rendered === 'string') return refuseBody(rendered)
  return filesNamed(rendered.body_html).length > MAX_FILES ? refuseBody('too_many_files') : rendered
}
