import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { routedOperations, unroutedOperations } from '#src/contract/area.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { enterAccount, formatCookie, openWith, post } from '#testing/account-pages.ts'
import { type PersonName, startApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { type Touched, watchTouched } from '#testing/changed-rows.ts'
import { type Control, readShownForms, type ShownForm, typeInto } from '#testing/controls.ts'
import { formPages, visitorAt } from '#testing/form-pages.ts'
import type { TestReply } from '#testing/http.ts'
import { endpoints } from '#testing/matrix.ts'
import { staffFormPages } from '#testing/staff-form-pages.ts'
import { areas } from '../src/areas.ts'

let app: Awaited<ReturnType<typeof startApp>>
let touched: Touched
before(async () => {
  app = await startApp({ hasSubscriptions: true })
  const rows = await app.database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  // Sessions and members are marked as used and seen.
  const apart = ['kept_forms', 'limits', 'sessions', 'members', 'view_counts', 'usage_days']
  touched = await watchTouched(
    app.database,
    'kept',
    rows.map(({ name }) => name).filter(name => !apart.includes(name)),
  )
})
after(() => app?.stop())

const AGAIN =
  /role="status" id="kept" tabindex="-1" autofocus><p>You are signed in again\. Check what you typed and send it\.<\/p>/
const SECRETS = ['password', 'current', 'code']

type Typed = readonly (readonly [string, string])[]

// The questions of a form can depend on those of some types only.
const isLeft = ({ name }: Control): boolean => /^field\.\d+\.type$/.test(name)

const typeAll = ({ controls }: ShownForm): Typed =>
  controls.flatMap(control =>
    (isLeft(control) ? control.values : typeInto(control)).map(value => [control.name, value] as const),
  )

const tokenOf = ({ hidden }: ShownForm): string => new Map(hidden).get('token') ?? ''

/** Whether a form shows what was typed, and is named as the one that was posted. */
const shows = (form: ShownForm, sent: ShownForm, typed: Typed): string[] => {
  const named = sent.hidden.filter(([name]) => !['token', 'step', 'quote'].includes(name))
  const unnamed = named.filter(([name, value]) => !form.hidden.some(one => one[0] === name && one[1] === value))
  const lost = sent.controls.filter(({ name, type }) => {
    // What a dry run shows is sent unseen.
    const unseen = form.hidden.filter(one => one[0] === name).map(one => one[1])
    const is = [...unseen, ...form.controls.filter(one => one.name === name).flatMap(({ values }) => values)]
    const expected =
      type === 'file' || SECRETS.includes(name) ? [] : typed.filter(one => one[0] === name).map(one => one[1])
    return type !== 'file' && expected.some(value => !is.includes(value))
  })
  return [...unnamed.map(([name, value]) => `${name}=${value}`), ...lost.map(({ name }) => name)]
}

const faults: string[] = []

const assertShownAgain = (reply: TestReply, sent: ShownForm, typed: Typed, way: string): void => {
  const says = `${way} ${sent.action} ${JSON.stringify(sent.hidden.filter(([n]) => n === 'act'))} ${JSON.stringify(sent.button)}`
  if (LED_AWAY.includes(routeOf(sent)) && reply.status === 303) return
  if (reply.status !== 200 || !AGAIN.test(reply.text)) {
    faults.push(`${says}: ${reply.status} ${reply.headers.location ?? ''} no notice`)
    return
  }
  if (isShownElsewhere(sent)) return
  const path = sent.action.replace(/\?.*/, '')
  const found = readShownForms(reply).filter(({ action }) => action.replace(/\?.*/, '') === path)
  const lost = found.map(form => shows(form, sent, typed)).sort((a, b) => a.length - b.length)
  if (lost[0] === undefined || lost[0].length > 0) faults.push(`${says}: lost ${lost[0] ?? 'the form'}`)
  else if (!found.some(form => /\.[\w-]{43}\.[\w-]{43}$/.test(tokenOf(form)))) faults.push(`${says}: token`)
}

/** The address of a form without the ids of what it is about. */
const routeOf = ({ action, hidden, button }: ShownForm): string => {
  const act = [...hidden, ...button].find(([name]) => name === 'act')?.[1]
  const path = action.replace(/\?.*/, '').replace(/\/(?:[a-z0-9]{3}_\w+|ORD-\d+)/g, '/:id')
  return act === undefined ? path : `${path} ${act}`
}

// Nobody types into them: sign-out ends what has ended, a sign-in is a proof, a language is then that of the browser, and the guide
// is left on another page. The checkout shows itself again, also to whoever is signed in no more (decision 247).
const NOT_KEPT = [
  '/account/sign-out',
  '/account/language',
  '/account/confirm',
  '/account/confirm/code',
  '/checkout pay',
]
const LED_AWAY = ['/staff/guide', '/account/email/code']

// Nothing is typed into a row of the outline or of the bin, nor where a lesson offers to publish its course: the page of what they are
// about is shown.
const isShownElsewhere = (form: ShownForm): boolean =>
  form.hidden.some(([name, value]) => name === 'from' && value === 'editor') ||
  (form.controls.length === 0 && ['/staff/bin', '/staff/courses/:id'].includes(routeOf(form)))

const isKeptAt = (kept: TestReply, page: 'sign-in' | 'confirm' | undefined): string | undefined => {
  const location = kept.headers.location ?? ''
  const prefix = page === undefined ? '/' : `/account/${page}?`
  if (kept.status !== 303 || !location.startsWith(prefix)) return undefined
  const to = page === undefined ? location : (new URL(location, 'http://localhost').searchParams.get('return_to') ?? '')
  return /[?&]kept=[\w-]{43}$/.test(to) ? to : undefined
}

const merge = (one: Browser, other?: Browser): Map<string, string> =>
  new Map([...[...one.cookies].filter(([name]) => !name.includes('session')), ...(other?.cookies ?? [])])

const noWrites = async (says: string): Promise<void> => {
  const written = [...(await touched.take())]
  if (written.length > 0) faults.push(`${says}: wrote ${written}`)
}

const setProof = (seconds: number): Promise<unknown> =>
  app.database.query('update sessions set recent_until = stoa.now() + make_interval(secs => $1)', [seconds])

type Handlers = { handle: unknown; runSteps?: unknown }

const writing: readonly Handlers[] = [...routedOperations(areas), ...unroutedOperations(areas)].filter(
  ({ mode }) => mode !== 'read',
)

/** Runs something while every operation that writes and got past its checks is refused. */
const withoutHandlers = async <T>(run: () => Promise<T>): Promise<T> => {
  const handlers = writing.map(({ handle, runSteps }) => ({ handle, runSteps }))
  const refuse = async () => {
    throw new Refusal(notFound, 'Nothing is written here.')
  }
  for (const operation of writing) Object.assign(operation, { handle: refuse, runSteps: operation.runSteps && refuse })
  try {
    return await run()
  } finally {
    for (const [at, operation] of writing.entries()) Object.assign(operation, handlers[at])
  }
}

/** The forms that were kept for a proof, by whether their page asks before it is shown. */
const walked = new Set<string>()

const proven = { byPage: new Set<string>(), byForm: new Set<string>() }

/** Posts the forms of a page after the proof is over. */
const walkUnproven = async (path: string, page: TestReply, own: Browser): Promise<void> => {
  await setProof(0)
  const asked = await openWith(app.port, formatCookie(own), path)
  const asks = asked.headers.location?.startsWith('/account/confirm?') === true
  for (const form of readShownForms(page).filter(one => !NOT_KEPT.includes(routeOf(one)))) {
    const typed = typeAll(form)
    const sent = () => post(app.port, own, form.action, [...form.hidden, ...typed, ...form.button])
    const to = isKeptAt(await withoutHandlers(sent), 'confirm')
    if (to === undefined) continue
    proven[asks ? 'byPage' : 'byForm'].add(routeOf(form))
    await setProof(7200)
    await touched.take()
    assertShownAgain(await openWith(app.port, formatCookie(own), to), form, typed, 'proof')
    await noWrites(`proof ${form.action}`)
    await setProof(0)
  }
  await setProof(7200)
}

// What is sent at once where it is typed.
const NOT_DRAFTS: readonly string[] = []

/** Finds texts of several lines on a page of the console that the browser does not keep while they are typed. */
const checkDrafts = (path: string, { text }: TestReply): void => {
  const drafts: string[] = []
  for (const [form, head = ''] of text.matchAll(/<form\b([^>]*)>[\s\S]*?<\/form>/g)) {
    const draft = /\sdata-draft="([^"]+)"/.exec(head)?.[1]
    if (draft !== undefined) drafts.push(draft)
    else if (form.includes('<textarea') && !NOT_DRAFTS.includes(path)) faults.push(`no draft on ${path}: ${head}`)
  }
  for (const [area] of text.matchAll(/<textarea\b[^>]*\sform="[^"]*"[^>]*>/g)) faults.push(`outside its form: ${area}`)
  if (new Set(drafts).size < drafts.length) faults.push(`drafts of one name on ${path}: ${drafts}`)
}

const walk = async (path: string, name: PersonName, _other: PersonName, browser?: Browser): Promise<void> => {
  const own = browser ?? (await enterAccount(visitorAt(app, name)))
  const page = await own.open(path)
  if (path.startsWith('/staff')) checkDrafts(path, page)
  const session = await enterAccount(visitorAt(app, name))
  const nobody = { ...own, cookies: merge(own) }
  const later = { ...own, cookies: merge(own, session) }
  const forms = readShownForms(page).filter(form => !NOT_KEPT.includes(routeOf(form)))
  for (const form of forms) walked.add(routeOf(form))
  for (const form of forms) {
    const typed = typeAll(form)
    const fields = [...form.hidden, ...typed, ...form.button]
    for (const [way, by] of [
      ['sign-in', nobody],
      [undefined, later],
    ] as const) {
      await app.database.query('delete from limits')
      await touched.take()
      const kept = await post(app.port, by, form.action, fields)
      const to = isKeptAt(kept, way)
      const says = `${way} ${form.action} ${JSON.stringify(form.button)}`
      if (to === undefined) faults.push(`${says}: not kept ${kept.status} ${kept.headers.location}`)
      else assertShownAgain(await openWith(app.port, formatCookie(later), to), form, typed, String(way))
      await noWrites(says)
    }
  }
  await walkUnproven(path, page, own)
}

suite('every form comes back filled in', () => {
  for (const [name, visit] of Object.entries({ ...formPages, ...staffFormPages }))
    test(name, async () => {
      await visit({ app, walk })
      assert.deepEqual(faults.splice(0), [])
    })

  test('forms that need a proof were kept for it', () => {
    assert.deepEqual([...proven.byPage].sort(), [
      '/account/confirmations/:id',
      '/account/deletion begin',
      '/account/email',
      '/staff/integrations/app remove',
      '/staff/integrations/app rotate',
      '/staff/integrations/app save',
      '/staff/integrations/new',
      '/staff/orders/:id/refund',
      '/staff/orders/record',
      '/staff/payments/live clear',
      '/staff/payments/manual set',
      '/staff/payments/test use',
      '/staff/payments/test/removal nothing',
      '/staff/payments/test/removal remove',
      '/staff/plans/:id/prices/:id/moves',
    ])
    // These pages are shown to everybody who may see them: most of their forms need no proof.
    assert.deepEqual([...proven.byForm].sort(), [
      '/account/data',
      '/staff/invitations invite',
      '/staff/invitations withdraw',
      '/staff/invoices',
      '/staff/people/:id/acts/role role',
      '/staff/people/:id/view',
      '/staff/subscriptions/:id charge',
      '/staff/subscriptions/:id paid',
    ])
  })

  test('every form that can be kept was', () => {
    const routes = endpoints.map(({ route }) => route)
    // What has no page is sent by modules, and a view ends with its session.
    const paths = endpoints
      .filter(({ showKept }) => showKept !== undefined)
      .map(({ route }) => route.replace('POST ', ''))
      .filter(path => routes.some(route => route === `GET ${path}`) && path !== '/staff/viewing')
    const isWalked = (path: string): boolean => {
      const at = new RegExp(`^${path.replace(/:\w+/g, '[^/ ]+')}(?: |$)`)
      return [...walked].some(one => at.test(one))
    }
    assert.deepEqual(
      paths.filter(path => !isWalked(path)),
      [],
    )
  })
})
