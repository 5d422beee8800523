import type { Db, Statement } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import type { AuthorizationRequest } from './request.ts'

/** The decision on the consent page. */
export type Decision = 'approve' | 'approve_read' | 'deny'

/** An authorization that waits for a person, with the client it is for. */
export type Pending = {
  readonly client_id: string
  readonly client_name: string
  readonly is_pre_registered: boolean
  /** Whether the school has removed the client since. */
  readonly is_blocked: boolean
  readonly grant_types: readonly string[]
  readonly redirect_uri: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly state: string | null
  readonly nonce: string | null
  readonly code_challenge: string
  readonly fresh_after: Date | null
  readonly login_hint: string | null
  /** The member in the id_token_hint, if the client sent one: nobody else may decide. */
  readonly hinted_member_id: string | null
  readonly locale: string
  /** Whether the consent page may be skipped when an earlier consent covers the request. */
  readonly may_skip: boolean
  readonly decision: Decision | null
  readonly grant_id: string | null
  /** The salt from which the secrets of a sign-in for it are derived, together with the secret of its browser. */
  readonly entry_salt: string
  readonly created_at: Date
  /** Whether the decision is younger than a minute, so that a second submission of the form counts as the same one. */
  readonly is_recent: boolean
}

type NewPending = {
  readonly handleHash: Buffer
  readonly browserHash: Buffer
  readonly clientId: string
  readonly redirectUri: string
  readonly locale: string
  readonly memberId: string | undefined
  readonly maySkip: boolean
  readonly hintedMemberId: string | undefined
  readonly request: AuthorizationRequest
}

// A person has one or two at a time.
const MAX_PER_MEMBER = 20

/**
 * Stores an authorization request for 60 minutes. Deletes the oldest undecided ones of a signed-in member, and up to
 * two of the school that ended an hour ago.
 */
export const insertPending = (db: Db, schoolId: string, pending: NewPending): Promise<number> => {
  const { request } = pending
  const age = request.prompt.some(value => value === 'login' || value === 'select_account' || value === 'create')
    ? 0
    : request.maxAge
  return db.run(sql`
    with clock as materialized (select stoa.now() as now), crowded as (
      delete from authorization_requests where school_id = ${schoolId} and handle_hash = any (array(
        select handle_hash from authorization_requests
        where school_id = ${schoolId} and member_id = ${pending.memberId} and decision is null
        order by created_at desc offset ${MAX_PER_MEMBER - 1} for update skip locked))
    ), ended as (
      delete from authorization_requests where school_id = ${schoolId} and handle_hash = any (array(
        select handle_hash from authorization_requests
        where school_id = ${schoolId} and expires_at < (select now from clock) - interval '1 hour' and decision is null
        order by expires_at limit 2 for update skip locked))
    )
    insert into authorization_requests (school_id, handle_hash, browser_hash, client_id, redirect_uri, scopes, resources,
      state, nonce, code_challenge, fresh_after, login_hint, locale, member_id, may_skip, hinted_member_id, created_at,
      expires_at)
    select ${schoolId}, ${pending.handleHash}, ${pending.browserHash}, ${pending.clientId}, ${pending.redirectUri},
      ${request.scopes}, ${request.resources}, ${request.state}, ${request.nonce}, ${request.codeChallenge},
      now - make_interval(secs => ${age}), ${request.loginHint}, ${pending.locale}, ${pending.memberId},
      ${pending.maySkip}, ${pending.hintedMemberId}, now, now + interval '60 minutes'
    from clock`)
}

/** What an authorization is bound to: its browser, and the session in which a person signed in for it. */
export type Binding = { readonly browserHash: Buffer | undefined; readonly sessionHash: Buffer | undefined }

const buildRequest = (schoolId: string, handleHash: Buffer, lock?: Statement): Statement =>
  oneRow(sql`from authorization_requests`, schoolId, { handle_hash: handleHash }, lock)

const pending = (schoolId: string, request: Statement, { browserHash, sessionHash }: Binding) => sql`
  with clock as materialized (select stoa.now() as now)
  select r.client_id, c.name as client_name, c.arranged_at is not null as is_pre_registered,
    c.blocked_at is not null as is_blocked, c.grant_types, r.redirect_uri,
    r.scopes, r.resources, r.state, r.nonce, r.code_challenge, r.fresh_after, r.login_hint, r.hinted_member_id,
    r.locale, r.may_skip, r.decision, r.grant_id, r.entry_salt, r.created_at,
    coalesce(r.decided_at > (select now from clock) - interval '60 seconds', false) as is_recent
  from ${request} as r
  cross join lateral ${oneRow(sql`from clients`, schoolId, { id: sql`r.client_id` })} as c
  where (r.browser_hash = ${browserHash} or r.session_hash = ${sessionHash}) and r.expires_at > (select now from clock)`

/** The pending authorization with this handle in this browser. */
export const findPending = (db: Db, schoolId: string, handleHash: Buffer, binding: Binding) =>
  db.first(sql<Pending>`${pending(schoolId, buildRequest(schoolId, handleHash), binding)}`)

/** The same, locked until the transaction ends. */
export const lockPending = (db: Db, schoolId: string, handleHash: Buffer, binding: Binding) =>
  db.first(sql<Pending>`${pending(schoolId, buildRequest(schoolId, handleHash, sql`for update`), binding)}`)

/** The salt of the sign-in secrets of a pending authorization, in any browser. */
export const findSignInSalt = async (db: Db, schoolId: string, handleHash: Buffer): Promise<string | undefined> =>
  (
    await db.first(sql<{ entry_salt: string }>`
      select entry_salt from authorization_requests where school_id = ${schoolId} and handle_hash = ${handleHash}`)
  )?.entry_salt

/**
 * Gives the pending authorizations of a browser its new binding, so that a binding from before the sign-in is useless
 * after it.
 */
export const rebindPending = (
  db: Db,
  schoolId: string,
  oldHash: Buffer,
  { newHash, memberId }: { readonly newHash: Buffer; readonly memberId: string },
) =>
  db.run(sql`
    update authorization_requests set browser_hash = ${newHash}, member_id = ${memberId}
    where school_id = ${schoolId} and browser_hash = ${oldHash} and decision is null`)

/**
 * Binds an authorization to the session in which a person signed in for it; 0 when it was moved or decided meanwhile.
 */
export const bindToSession = (
  db: Db,
  schoolId: string,
  handleHash: Buffer,
  { from, sessionHash, memberId }: { readonly from: Binding; readonly sessionHash: Buffer; readonly memberId: string },
) =>
  db.run(sql`
    update authorization_requests set session_hash = ${sessionHash}, member_id = ${memberId}
    where school_id = ${schoolId} and handle_hash = ${handleHash} and decision is null
      and (browser_hash = ${from.browserHash} or session_hash = ${from.sessionHash})`)

/** Stores the decision on an authorization. */
export const storeDecision = (
  db: Db,
  schoolId: string,
  handleHash: Buffer,
  decision: Decision,
  grantId: string | undefined,
) =>
  db.run(sql`
    update authorization_requests set decision = ${decision}, decided_at = (select stoa.now()), grant_id = ${grantId}
    where school_id = ${schoolId} and handle_hash = ${handleHash} and decision is null`)

/** The parts of the request that a grant stores. */
export type Approved = Pick<
  Pending,
  'client_id' | 'grant_types' | 'redirect_uri' | 'resources' | 'code_challenge' | 'nonce'
>

type NewGrant = {
  readonly id: string
  readonly memberId: string
  readonly scopes: readonly string[]
  readonly codeHash: Buffer
  readonly sessionId: string
  readonly amr: readonly string[]
  readonly authTime: Date
  /** How long the code and the grant are valid, in seconds. */
  readonly codeSeconds: number
  readonly lifeSeconds: number
  /** Whether no page was shown, because an earlier consent covered the request. */
  readonly isSilent: boolean
  readonly pending: Approved
}

/** Stores a grant with its one code. */
export const insertGrant = (db: Db, schoolId: string, grant: NewGrant) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into grants (school_id, id, member_id, client_id, scopes, resources, redirect_uri, code_hash, code_challenge,
      code_expires_at, nonce, session_id, amr, auth_time, is_silent, created_at, expires_at)
    select ${schoolId}, ${grant.id}, ${grant.memberId}, ${grant.pending.client_id}, ${grant.scopes}, ${grant.pending.resources},
      ${grant.pending.redirect_uri}, ${grant.codeHash}, ${grant.pending.code_challenge},
      now + make_interval(secs => ${grant.codeSeconds}), ${grant.pending.nonce}, ${grant.sessionId}, ${grant.amr}, ${grant.authTime},
      ${grant.isSilent}, now, now + make_interval(secs => ${grant.lifeSeconds})
    from clock`)

/** Replaces the code of a grant while it is unused. */
export const replaceCode = (
  db: Db,
  schoolId: string,
  grant: { readonly id: string; readonly sessionId: string; readonly scopes: readonly string[] },
  code: { readonly hash: Buffer; readonly seconds: number },
) =>
  db.run(sql`
    update grants set code_hash = ${code.hash},
      code_expires_at = (select stoa.now()) + make_interval(secs => ${code.seconds})
    where school_id = ${schoolId} and id = ${grant.id} and session_id = ${grant.sessionId} and scopes = ${grant.scopes}
      and code_used_at is null and revoked_at is null`)

/** Whether a grant is the first one of a member to a client. */
export const isFirstGrant = async (
  db: Db,
  schoolId: string,
  grant: { readonly id: string; readonly memberId: string; readonly clientId: string },
): Promise<boolean> =>
  (await db.first(sql`
    select from (select * from grants where school_id = ${schoolId} and member_id = ${grant.memberId} offset 0) as g
    where g.client_id = ${grant.clientId} and g.id <> ${grant.id}
    limit 1`)) === undefined

/** Ends the other pending authorizations of a member. */
export const endPendingRequests = (db: Db, schoolId: string, memberId: string, exceptHash: Buffer) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update authorization_requests set expires_at = (select now from clock)
    where school_id = ${schoolId} and member_id = ${memberId} and handle_hash <> ${exceptHash} and decision is null
      and expires_at > (select now from clock)`)

/** The last consent of a person on a page to one client. */
export type Consent = {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** The redirect URI that got its code. */
  readonly redirect_uri: string
  /**
   * Whether it is younger than a year and than the registration by the school, and no grant of the person to the client
   * was ended since.
   */
  readonly is_active: boolean
}

/** The last consent of a person on a page to one client. */
export const findConsent = (db: Db, schoolId: string, memberId: string, clientId: string) =>
  db.first(sql<Consent>`
    with own as materialized (
      select * from grants where school_id = ${schoolId} and member_id = ${memberId}
    )
    select g.scopes, g.resources, g.redirect_uri,
      g.created_at > (select stoa.now()) - interval '1 year' and g.created_at >= c.arranged_at
      and not exists (
        select from own e
        where e.client_id = ${clientId} and e.created_at >= g.created_at and e.revoked_at is not null
      ) as is_active
    from own g cross join lateral ${oneRow(sql`from clients`, schoolId, { id: clientId })} as c
    where g.client_id = ${clientId} and not g.is_silent
    order by g.created_at desc, g.id desc limit 1`)
