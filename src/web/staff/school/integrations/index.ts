import { Integration, IntegrationSecret, Integrations } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { form, isShown, page, redirect } from '#src/web/page/index.ts'
import { owners, recentOwners, type StaffContext } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { blank, buildTyped, readSettings, typedIn } from './form.ts'
import { buildPath, listPage, newPage, onePage, secretPage } from './pages.ts'

const PATH = '/staff/integrations'

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

const readParams = ({ query }: StaffContext) => ({ client_id: query.get('client_id') ?? '' })

const showOne = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const shown = await context.call({ operation: 'getIntegration', params: readParams(context), returns: Integration })
  const isSaving = again !== undefined && formField(again.typed, 'act') === 'save'
  return onePage(context, shown, isSaving ? typedIn(again.typed) : buildTyped(shown), again?.refusal)
}

const create = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const typed = typedIn(form)
  const body = { ...readSettings(typed), is_confidential: typed.isConfidential }
  return secretPage(context, await context.call({ operation: 'createIntegration', body, returns: IntegrationSecret }))
}

const change = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const { call } = context
  const params = readParams(context)
  switch (formField(typed, 'act')) {
    case 'save':
      await call({ operation: 'updateIntegration', params, body: readSettings(typedIn(typed)) })
      return redirect(`${buildPath(params.client_id)}&done=changed`)
    case 'rotate': {
      const body = { at_once: formField(typed, 'at_once') === 'yes' }
      const created = await call({ operation: 'rotateIntegrationSecret', params, body, returns: IntegrationSecret })
      return secretPage(context, created, body.at_once)
    }
    case 'remove':
      await call({ operation: 'removeIntegration', params })
      return redirect(`${PATH}?done=removed`)
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

// A new secret is shown by the form itself, so that it is in no address.
const orRefused = async (work: () => Promise<Reply>, again: (refusal: Refusal) => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (isShown(error)) return again(error)
    throw error
  }
}

/** The pages of integrations, for owners. */
export const integrations: StaffSection = {
  pages: [
    page(`GET ${PATH}`, recentOwners, async context =>
      listPage(context, (await context.call({ operation: 'listIntegrations', returns: Integrations })).data),
    ),
    page(`GET ${PATH}/new`, recentOwners, async context => newPage(context, blank)),
    form(`POST ${PATH}/new`, owners, (context, typed) =>
      orRefused(
        () => create(context, typed),
        async refusal => newPage(context, typedIn(typed), refusal),
      ),
    ),
    page(`GET ${PATH}/app`, recentOwners, context => showOne(context)),
    form(`POST ${PATH}/app`, owners, (context, typed) =>
      orRefused(
        () => change(context, typed),
        refusal => showOne(context, { typed, refusal }),
      ),
    ),
  ],
}
