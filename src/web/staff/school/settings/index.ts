import { isAtLeast } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { form, page, readDone, revisionIn, shownAgain, TAKE_THEIRS } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { frameInConsole } from '../../console/frame.ts'
import type { StaffSection } from '../../section.ts'
import { valuesIn } from './fields.ts'
import { buildPath, settingsPage } from './page.ts'
import { type Part, parts } from './parts.ts'

const findPart = ({ params }: StaffContext): Part => {
  const part = parts.find(({ word }) => word === (params.part ?? ''))
  if (part === undefined) throw new Refusal(notFound, 'There is no such page.')
  return part
}

const readPart = (part: Part, { parts: { performAs }, person, language }: StaffContext) =>
  part.read(performAs, person, language)

const show = async (
  context: StaffContext,
  sent?: { readonly act: string; readonly typed: Pairs; readonly refusal?: Refusal },
): Promise<Reply> => {
  const { language, school, token, session } = context
  const part = findPart(context)
  const { revision, values, pages } = await readPart(part, context)
  // What is known of a school may be a second old, and the name was perhaps changed just now.
  const name = (part.word === 'school' ? values.name : undefined) ?? school.name
  return settingsPage({
    frame: view => frameInConsole({ ...context, school: { ...school, name } }, { onward: context.onward, ...view }),
    mayChange: isAtLeast(session.member.role, part.least),
    done: readDone(context.request),
    values: sent?.refusal === undefined ? values : valuesIn(part.fields, sent.typed),
    refusal: sent?.refusal,
    stored: values,
    sent,
    part,
    revision,
    pages,
    language,
    token,
  })
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const part = findPart(context)
  const act = formField(typed, 'act')
  if (act === TAKE_THEIRS) return show(context, { act, typed })
  const [values, revision] = [valuesIn(part.fields, typed), revisionIn(typed)]
  return shownAgain(
    async () => {
      const { buildCall } = await readPart(part, context)
      await context.call({ ...buildCall(values), revision })
      return `${buildPath(part)}?done=saved`
    },
    refusal => show(context, { act, typed, refusal }),
  )
}

/** GET and POST /staff/settings/:part. */
export const settings: StaffSection = {
  pages: [
    page('GET /staff/settings/:part', staff, context => show(context)),
    form('POST /staff/settings/:part', staff, submit),
  ],
}
