import type { Reply } from '#src/contract/endpoint.ts'
import { errorsOfProfile, getMember, type Profile } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { isLocale, languages } from '#src/kit/locale.ts'
import { cleanLine } from '#src/kit/text.ts'
import { type Choice, form, input, kinds, mainButton, page, redirect, select } from '#src/web/page/index.ts'
import { buildNotice, type Complaint, changeText } from './complaint.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { profile: text } = changeText

const PATH = '/account/profile'

// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 200

const LOCALES = [...new Set([...languages, 'pt-BR', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'uk', 'ar', 'hi', 'ja', 'zh'])]

const localeName = (tag: string): string => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return `${name} (${tag})`
}

// The stored value stays a choice, even if it is not in the list.
const listChoices = (
  list: readonly string[],
  stored: string | null,
  { none, formatName }: { readonly none: string; readonly formatName: (value: string) => string },
): Choice[] => {
  const all = stored === null || list.includes(stored) ? list : [stored, ...list]
  return [{ value: '', label: none }, ...all.map(value => ({ value, label: formatName(value) }))]
}

const show = (context: AccountContext, profile: Profile, complaint?: Complaint): Reply => {
  const { t, form, frame, language } = context
  const { name, locale, time_zone: zone } = profile
  const tag = locale !== null && isLocale(locale) ? locale : null
  const locales = listChoices(LOCALES, tag, { none: t(text.schoolLocale), formatName: localeName })
  const allZones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
  const zones = listChoices(allZones, zone, { none: t(text.noTimeZone), formatName: value => value })
  const inside = html`${input({ name: 'name', label: t(text.name), attributes: kinds.name, value: name })}
${select('locale', t(text.locale), locale ?? '', locales)}
<p class="quiet">${t(text.localeHint)}</p>
${select('time_zone', t(text.timeZone), zone ?? '', zones)}
${mainButton(t(text.button))}`
  return frame({
    title: t(text.title),
    notice: buildNotice(complaint, context),
    body: html`${form(inside)}
${backLink(language)}`,
  })
}

const profileIn = (form: Pairs): Profile => {
  const part = (name: string): string => cleanLine(formField(form, name), LONGEST)
  return { name: part('name'), locale: part('locale') || null, time_zone: part('time_zone') || null }
}

const isProfileError = (code: string | undefined): code is 'name' | 'locale' | 'time_zone' =>
  code === 'name' || code === 'locale' || code === 'time_zone'

/** GET and POST /account/profile: name, language and time zone. */
export const profilePages = [
  page(`GET ${PATH}`, owner, async context => {
    const { request, school, person } = context
    return show(context, await request.database.statements(school.id, db => getMember(db, school.id, person.member.id)))
  }),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const profile = profileIn(typed)
    const error = errorsOfProfile(profile)[0]?.code
    if (isProfileError(error)) return show(context, profile, { error })
    await context.call({ operation: 'updateAccount', body: profile })
    return redirect('/account?done=profile')
  }),
]
