import { takeFormFileInto } from '#src/areas/files/index.ts'
import { joinGroup } from '#src/areas/learning/index.ts'
import { insertTags } from '#src/areas/people/index.ts'
import {
  type AnswerableVersion as Answerable,
  computeState,
  type FormRow,
  findAnswerable,
  isGroup,
} from '#src/areas/publishing/forms/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, WriteContext } from '#src/contract/operation.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { rateLimited, refuseInvalid, signInRequired } from '#src/contract/problems.ts'
import { keepConsents } from '#src/identity/index.ts'
import { checkAnswers, listFiles } from '../answers/rules.ts'
import type { AnswerInput, StoredAnswer } from '../answers/schema.ts'
import { countTaken, grantMarketing, hasSubmitted } from './queries.ts'
import { alreadySubmitted, formChanged, formNotOpen, MOST_AN_HOUR } from './rules.ts'

type Place = Pick<WriteContext<Caller>, 'db' | 'school' | 'caller' | 'now'>

/** Refuses a form that takes no answers of the caller now; the form is locked, so its numbers are exact. */
export const checkOpen = async ({ db, school, caller, now }: Place, form: FormRow): Promise<void> => {
  const { taken, lately } = await countTaken(db, school.id, form.id, {
    taken: form.max_submissions ?? 0,
    lately: MOST_AN_HOUR,
  })
  const state = computeState(form, taken, now)
  if (state !== 'open')
    throw new Refusal(formNotOpen, `The form is ${state.replaceAll('_', ' ')}.`, { members: { state } })
  if (form.needs_sign_in && caller.member === undefined)
    throw new Refusal(signInRequired, 'Only people who are signed in can submit this form.')
  if (form.one_per_member && caller.member && (await hasSubmitted(db, school.id, form.id, caller.member.id)))
    throw new Refusal(alreadySubmitted, 'You have already submitted this form.')
  if (lately >= MOST_AN_HOUR)
    throw new Refusal(rateLimited, `The form takes ${MOST_AN_HOUR} submissions an hour.`, {
      headers: { 'retry-after': '600' },
    })
}

/** The version that is answered; refuses one that was replaced more than an hour ago, or that never was public. */
export const getAnswerable = async (
  { db, school }: Pick<AsCaller<Caller>, 'db' | 'school'>,
  form: Pick<FormRow, 'id'>,
  version: number,
): Promise<Answerable> => {
  const found = await findAnswerable(db, school.id, form.id, version)
  if (found === undefined) throw new Refusal(formChanged, 'Read the form again, and answer its current version.')
  return found
}

// A file answers one field of one submission.
const takeFiles = async (
  { db, school }: Place,
  formId: string,
  given: readonly AnswerInput[],
  answers: readonly StoredAnswer[],
): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const { fieldId, fileId } of listFiles(answers)) {
    if (await takeFormFileInto(db, school.id, formId, fileId)) continue
    const index = given.findIndex(({ field_id: id }) => id === fieldId)
    errors.push({
      pointer: `/answers/${index}/value`,
      code: 'unknown',
      message: 'is not a file that was sent to this form, or another submission has it',
    })
  }
  return errors
}

/** The answers that can be stored, with their files taken into use; refuses others. */
export const getAnswers = async (
  context: Place,
  form: Pick<FormRow, 'id'>,
  { fields }: Answerable,
  given: readonly AnswerInput[],
): Promise<readonly StoredAnswer[]> => {
  const { answers, errors } = checkAnswers(fields, given)
  refuseInvalid(errors, 'Some answers are not allowed.')
  refuseInvalid(await takeFiles(context, form.id, given, answers), 'Some files cannot be used.')
  return answers
}

/** Does what the form does for a member who submits it: a tag, a group and the consent to marketing mails. */
export const applyOnSubmit = async (
  { db, school, now }: Place,
  memberId: string,
  { on_submit }: Answerable,
  answers: readonly StoredAnswer[],
): Promise<void> => {
  const { tag, group_id: groupId, marketing_consent_field: consent } = on_submit
  if (tag !== null) await insertTags(db, school.id, memberId, [tag])
  if (groupId !== null && (await isGroup(db, school.id, groupId)))
    await joinGroup({ db, school, now }, groupId, [memberId])
  if (consent !== null && answers.some(({ field_id: id, value }) => id === consent && value === true))
    await grantMarketing(db, school.id, memberId)
  await keepConsents(db, school.id, [memberId])
}
