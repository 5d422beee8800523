import type { Offering } from '#src/areas/school/index.ts'
import { isAtLeast, type Role } from '#src/contract/caller.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'

/** What a reader is told beside prices: only staff read what keeps the school from being paid. */
export const selectOffering = (offering: Offering, member: { readonly role: Role } | undefined): Offering =>
  member !== undefined && isAtLeast(member.role, 'admin') ? offering : { ...offering, missing: [] }

/** What stands in place of the buttons of a school that cannot be paid; staff read why. */
export const cannotSell = (language: Language, missing: Offering['missing']): Html =>
  html`<p class="hint">${fill(texts.site.common.price.cannotSell, language)}</p>${
    missing.length > 0 &&
    html`
<p class="hint">${missing.map(lack => fill(texts.staff.unpaid.missing[lack], language)).join(' ')} <a href="/staff/payments">${fill(texts.staff.unpaid.link, language)}</a></p>`
  }`
