import { idPattern } from '#src/kit/ids.ts'

/** The default page after sign-in. */
export const HOME = '/account'

// A pattern for our own addresses instead of a parser, which accepts `/\evil`, tabs and missing slashes.
const OWN =
  /^\/(?:(?:account|staff|forms|courses|products|plans|events|lecturers|blog|search|developers)(?:\/[\w-]+)*)?(?:\?[\w.~=&%+*-]*)?$/

const PRICE = idPattern('prc').slice(1, -1)
const VALUE = '[\\w%.*+-]{1,768}'
const ITEM = `price=${PRICE}(?:&quantity=\\d{1,2})?(?:&occurrence=${idPattern('occ').slice(1, -1)})?(?:&amount=\\d{1,12})?`
// What is bought: at most 20 items, three codes and a campaign, as the checkout writes them.
const CHECKOUT = new RegExp(`^/checkout\\?${ITEM}(?:&${ITEM}){0,19}(?:&code=${VALUE}){0,3}(?:&campaign=${VALUE})?$`)

const CHECKOUT_BEGUN = new RegExp(`^/checkout/${idPattern('chk').slice(1, -1)}$`)

// A course is named by its slug or its id, a lesson by its id.
const LEARN = /^\/learn(?:\/(?:crs_[a-z0-9]+|[a-z0-9]+(?:-[a-z0-9]+)*)(?:\/les_[a-z0-9]+)?)?(?:\?[\w.~=&%+*-]*)?$/

const MAX_LENGTH = 500

const isOwn = (text: string): boolean =>
  (OWN.test(text) || LEARN.test(text)) && text.length <= MAX_LENGTH && !/^\/account\/(?:sign|reset)/.test(text)

/**
 * The address within the account, the learning pages, the staff pages, the checkout or the site to return to; any other text
 * means the account.
 */
export const returnTo = (text: string): string =>
  isOwn(text) || CHECKOUT.test(text) || CHECKOUT_BEGUN.test(text) ? text : HOME
