import { form, page } from '#src/web/page/index.ts'
import { owners, recentOwners } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { showProviders } from './list.ts'
import { showLive, submitLive } from './live.ts'
import { showProvider, submitProvider } from './page.ts'
import { PATH } from './provider.ts'
import { showRemoval, submitRemoval } from './removal.ts'

/** The pages of payment providers, for owners. */
export const payments: StaffSection = {
  pages: [
    page(`GET ${PATH}`, recentOwners, showProviders),
    page(`GET ${PATH}/live`, recentOwners, context => showLive(context)),
    form(`POST ${PATH}/live`, owners, submitLive),
    page(`GET ${PATH}/:provider`, recentOwners, showProvider),
    form(`POST ${PATH}/:provider`, owners, submitProvider),
    page(`GET ${PATH}/:provider/removal`, recentOwners, context => showRemoval(context)),
    form(`POST ${PATH}/:provider/removal`, owners, submitRemoval),
  ],
}
