import type { Static } from 'typebox'
import { SitePageList } from '#src/areas/publishing/index.ts'
import { School, SellingSettings } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Language, Phrase } from '#src/contract/language.ts'
import type { CallAsPerson, PageCall, SignedInPerson } from '#src/contract/page-call.ts'
import type { StaffRole } from '../../section.ts'
import { buildValues, type Field, isBlank, merged, readSettings, type Values } from './fields.ts'
import { checkoutFields, commentFields, schoolFields, sellerFields, subscriptionFields, taxFields } from './shown.ts'
import { settingsText as text } from './text.ts'

/** A page of the settings: what it is called, its fields, how they are read, and the write that stores them. */
export type Part = {
  /** The last word of its address. */
  readonly word: string
  readonly title: Phrase
  readonly about: Phrase
  readonly fields: readonly Field[]
  /** Who may change them; others of the staff see them. */
  readonly least: StaffRole
  read(performAs: CallAsPerson, person: SignedInPerson, language: Language): Promise<Stored>
}

/** A page of the school, which a setting can name. */
export type SchoolPage = Encoded<Static<typeof SitePageList>>['data'][number]

/** Settings as they are stored. */
type Stored = {
  readonly revision: number
  readonly values: Values
  /** The pages of the school that a field can name. */
  readonly pages: readonly SchoolPage[]
  /** The write that stores these values instead. */
  buildCall(values: Values): PageCall<undefined>
}

type Selling = Encoded<Static<typeof SellingSettings>>
type SellingName = 'legal' | 'tax' | 'checkout' | 'subscriptions' | 'comments'

const school: Part = {
  word: 'school',
  title: text.school.title,
  about: text.school.about,
  fields: schoolFields,
  least: 'admin',
  read: async (performAs, person, language) => {
    const stored = await performAs(person, { operation: 'getSchool', returns: School })
    return {
      revision: stored.revision,
      values: buildValues(schoolFields, stored, language),
      pages: [],
      buildCall: values => ({ operation: 'updateSchool', body: readSettings(schoolFields, values, language) }),
    }
  },
}

// Without any line there is no address.
const readLegal = (values: Values, language: Language) => {
  const legal = readSettings(sellerFields, values, language)
  return isBlank(values, 'address.') ? { ...legal, address: null } : legal
}

// What has no field on these pages stays as it is.
const readPart = (
  name: SellingName,
  { fields }: Pick<Part, 'fields'>,
  stored: Selling,
  { values, language }: { readonly values: Values; readonly language: Language },
) => {
  if (name === 'legal') return readLegal(values, language)
  return merged(stored[name], readSettings(fields, values, language))
}

const namesPage = ({ fields }: Pick<Part, 'fields'>): boolean => fields.some(({ kind }) => kind === 'page')

const pagesCall: PageCall<typeof SitePageList> = {
  operation: 'listPages',
  query: [
    ['sort', 'position'],
    ['limit', '100'],
  ],
  returns: SitePageList,
}

const selling = (word: string, name: SellingName, shown: Pick<Part, 'title' | 'about' | 'fields'>): Part => ({
  ...shown,
  word,
  least: 'owner',
  read: async (performAs, person, language) => {
    const stored = await performAs(person, { operation: 'getSellingSettings', returns: SellingSettings })
    const { legal, tax, checkout, subscriptions, comments } = stored
    const all = { legal, tax, checkout, subscriptions, comments }
    return {
      revision: stored.revision,
      values: buildValues(shown.fields, stored[name], language),
      pages: namesPage(shown) ? (await performAs(person, pagesCall)).data : [],
      buildCall: values => ({
        operation: 'setSellingSettings',
        body: { ...all, [name]: readPart(name, shown, stored, { values, language }) },
      }),
    }
  },
})

/** The pages of the settings, in their order. */
export const parts: readonly Part[] = [
  school,
  selling('seller', 'legal', { ...text.seller, fields: sellerFields }),
  selling('tax', 'tax', { ...text.tax, fields: taxFields }),
  selling('checkout', 'checkout', { ...text.checkout, fields: checkoutFields }),
  selling('subscriptions', 'subscriptions', { ...text.subscriptions, fields: subscriptionFields }),
  selling('comments', 'comments', { ...text.comments, fields: commentFields }),
]
