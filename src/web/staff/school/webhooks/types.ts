import { isNamed, sentTypes } from '#src/areas/apps/index.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { getSection, scopeSections } from '#src/contract/scopes.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { Field } from '#src/web/page/index.ts'

const { common: text } = texts.staff.webhooks
const sections: Readonly<Record<string, Phrase>> = texts.staff.webhooks.sections

const ALL = '*'

type Family = { readonly name: string; readonly types: readonly string[] }

/** Types of a section of the API, by the resources that they are about. */
type Group = { readonly title: Phrase; readonly families: readonly Family[] }

const readFamily = (type: string): string => type.split('.')[0] ?? type

const findFamilies = (section: string): Family[] => {
  const own = [...sentTypes].filter(([, scope]) => getSection(scope).name === section).map(([type]) => type)
  return [...new Set(own.map(readFamily))].toSorted().map(name => ({
    name,
    types: own.filter(type => readFamily(type) === name).toSorted(),
  }))
}

const groups: readonly Group[] = scopeSections.flatMap(({ name }) => {
  const [title, families] = [sections[name], findFamilies(name)]
  return title === undefined || families.length === 0 ? [] : [{ title, families }]
})

const sentences: Readonly<Record<string, Readonly<Record<string, Phrase>>>> = texts.contract.facts

// The type itself where it is declared no more.
const describeType = (type: string, language: Language): string => {
  const [family = '', name = ''] = type.split('.')
  const sentence = sentences[family]?.[name]
  return sentence === undefined ? type : fill(sentence, language)
}

/** The sentence of a type of fact without its full stop, as the name of a row or a choice; the type where it is declared no more. */
export const nameType = (type: string, language: Language): string => describeType(type, language).replace(/\.$/, '')

const renderBox = (value: string, label: string, chosen: readonly string[]): Html => html`<div class="scope">
<input type="checkbox" id="type-${value}" name="types" value="${value}"${chosen.includes(value) && html` checked`}>
<label for="type-${value}">${label} <code class="quiet">${value}</code></label></div>
`

// A resource whose types are in two sections, such as a lesson, is chosen as a whole in the first of them.
const isFirst = (family: Family): boolean =>
  groups.find(({ families }) => families.some(({ name }) => name === family.name))?.families.includes(family) === true

const renderFamily = (family: Family, chosen: readonly string[], language: Language): Html => {
  const whole = `${family.name}.*`
  const isOffered = isFirst(family) && (family.types.length > 1 || chosen.includes(whole))
  return html`<fieldset class="field"><legend><code>${family.name}</code></legend>
${isOffered && renderBox(whole, fill(text.wholeFamily, language), chosen)}${family.types.map(type => renderBox(type, describeType(type, language), chosen))}</fieldset>
`
}

const readChosen = (form: Pairs): string[] => form.flatMap(([name, value]) => (name === 'types' ? [value] : []))

const findGroup = (entry: string): Group | undefined =>
  groups.find(({ families }) => families.some(({ types }) => types.some(type => isNamed([entry], type))))

/** What a webhook names, in a line: everything, or the first sections of the API that it concerns. */
export const describeTypes = (types: readonly string[], language: Language): string => {
  if (types.includes(ALL)) return fill(text.everything, language)
  const titles = groups.filter(group => types.some(entry => findGroup(entry) === group)).map(({ title }) => title)
  const [shown, rest] = [
    titles
      .slice(0, 3)
      .map(title => fill(title, language))
      .join(', '),
    titles.length - 3,
  ]
  return rest > 0 ? `${shown} ${fill(texts.words.andMore, language, { n: rest })}` : shown
}

const nameEntry = (entry: string, language: Language): string => {
  const group = entry.endsWith('.*') ? findGroup(entry) : undefined
  if (group === undefined) return nameType(entry, language)
  return fill(text.aboutFamily, language, { family: readFamily(entry), section: fill(group.title, language) })
}

const MOST_LISTED = 8

/** The same as a list of what it names, each with its sentence. */
export const listTypes = (types: readonly string[], language: Language): Html => {
  if (types.includes(ALL)) return html`${fill(text.everything, language)}`
  const rest = types.length - MOST_LISTED
  return html`<ul class="types">
${types.slice(0, MOST_LISTED).map(entry => html`<li>${nameEntry(entry, language)} <code class="quiet">${entry}</code></li>\n`)}${rest > 0 && html`<li>${fill(texts.words.andMore, language, { n: rest })}</li>\n`}</ul>`
}

/** The types that a webhook is sent: all of them, or those that are ticked, in groups that are unfolded. */
export const typesField: Field<string[]> = {
  kind: 'group',
  read: form => (formField(form, 'which') === 'all' ? [ALL] : readChosen(form)),
  write: types => [
    ['which', types.includes(ALL) ? 'all' : 'some'],
    ...types.filter(type => type !== ALL).map(type => ['types', type] as const),
  ],
  control({ typed, language }) {
    const chosen = readChosen(typed)
    const t = (phrase: Phrase, values?: Readonly<Record<string, number>>): string => fill(phrase, language, values)
    const isAll = formField(typed, 'which') === 'all'
    const choose = (value: string, isChosen: boolean, name: Phrase, hint: Phrase): Html =>
      html`<label class="choice"><input type="radio" name="which" value="${value}"${isChosen && html` checked`}><span><b>${t(name)}</b><small>${t(hint)}</small></span></label>
`
    const renderGroup = ({ title, families }: Group): Html => {
      const all = families.flatMap(({ types }) => types)
      const n = all.filter(type => isNamed(chosen, type)).length
      return html`<details class="fold"${n > 0 && html` open`}>
<summary>${t(title)}${n > 0 && html` <span class="quiet">${t(text.chosen, { n, all: all.length })}</span>`}</summary>
${families.map(family => renderFamily(family, chosen, language))}</details>
`
    }
    return html`<div class="choices">
${choose('some', !isAll, text.some, text.someHint)}${choose('all', isAll, text.everything, text.everythingHint)}</div>
<div class="types">
${groups.map(renderGroup)}</div>`
  },
}
