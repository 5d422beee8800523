import type { Static } from 'typebox'
import { type AnswerableVersion, Form, findAnswerable } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { fromId } from '#src/kit/ids.ts'
import type { FormPagesParts } from './parts.ts'

/** A form, as the API returns it to anybody. */
export type FormView = Encoded<Static<typeof Form>>

/** The form of a page, as anybody reads it. */
export const readFormOf = (
  { school, requestId, network, params }: EndpointRequest,
  { performAs }: FormPagesParts,
): Promise<FormView> =>
  performAs(
    { school, requestId, network },
    { operation: 'getForm', params: { form_id: `slug:${params.slug ?? ''}` }, returns: Form },
  )

/** The UUID of a form. */
export const rowOf = ({ id }: Pick<FormView, 'id'>): string => fromId('frm', id) ?? ''

/** The version that a page showed; undefined once it takes no answers any more. */
export const shownVersion = (
  { database, school }: EndpointRequest,
  form: FormView,
  version: number,
): Promise<AnswerableVersion | undefined> =>
  database.statements(school.id, db => findAnswerable(db, school.id, rowOf(form), version))
