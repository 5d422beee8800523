import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import {
  buildScopes,
  listPreRegistered,
  type PreRegisteredClient,
  preRegisterClient,
  removeClient,
  rotateSecret,
} from '#src/oauth/index.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption, textOptions } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

type Verb = (run: Run, installation: Installation, school: School) => Promise<void>

const readId = (run: Run): string => {
  const [, id] = run.positionals
  if (id === undefined) throw new Failed(`name the client_id; usage: ${integrations.usage}`)
  return id
}

const readPlan = (run: Run) => ({
  name: textOption(run, 'name') ?? '',
  redirectUris: textOptions(run, 'redirect-uri'),
  clientId: textOption(run, 'client-id'),
  isConfidential: run.options.confidential === true,
  introspects: textOption(run, 'introspects'),
  scopes: textOptions(run, 'scope').flatMap(text => text.split(' ').filter(name => name !== '')),
})

const create: Verb = async (run, { database }, school) => {
  if (run.positionals.length > 1) throw new Failed(`usage: ${integrations.usage}`)
  // Loaded only here, since the areas load the whole application.
  const { areas } = await import('#src/areas.ts')
  const parts = { database, school, scopes: buildScopes(areas), random: systemRandom }
  const { id, secret } = await preRegisterClient(parts, readPlan(run)).catch((error: unknown) => {
    throw error instanceof OAuthError ? new Failed(error.message) : error
  })
  const lines = [`client_id: ${id}`]
  if (secret !== undefined) lines.push(`client_secret (shown this once): ${secret}`)
  lines.push(`issuer: ${school.baseUrl}`)
  run.tell({ client_id: id, client_secret: secret, issuer: school.baseUrl }, lines.join('\n'))
}

const toPlain = (client: PreRegisteredClient) => ({
  client_id: client.id,
  name: client.name,
  redirect_uris: client.redirect_uris,
  confidential: client.auth_method !== 'none',
  active_secrets: client.active_secrets,
  scope: client.scope_ceiling?.join(' ') ?? null,
  introspects: client.introspects,
  arranged_at: client.arranged_at.toISOString(),
  removed_at: client.removed_at?.toISOString() ?? null,
})

const formatLine = (client: ReturnType<typeof toPlain>): string => {
  const kind = client.confidential ? 'confidential' : 'public'
  const state = client.removed_at === null ? kind : `removed ${client.removed_at}`
  return `${client.client_id}  ${client.name}  (${state})  ${client.redirect_uris?.join(' ') ?? 'as its document says'}`
}

const list: Verb = async (run, { database }, school) => {
  const plain = (await listPreRegistered(database, school)).map(toPlain)
  run.tell(plain, plain.map(formatLine).join('\n') || 'There is no integration yet.')
}

const remove: Verb = async (run, { database }, school) => {
  const id = readId(run)
  const ended = await removeClient(database, school, id)
  if (ended === undefined) throw new Failed(`no client of ${school.baseUrl} has the id ${id}, or it was removed before`)
  run.tell({ client_id: id, ended_grants: ended }, `${id} was permanently removed; ${ended} grants were ended.`)
}

const rotate: Verb = async (run, { database }, school) => {
  const id = readId(run)
  const result = await rotateSecret({ database, school, random: systemRandom }, id, run.options.now === true)
  if (result.kind === 'no_secret') throw new Failed(`no confidential client of ${school.baseUrl} has the id ${id}`)
  if (result.kind === 'two_live') {
    const until = result.until.toISOString()
    throw new Failed(`two secrets are already valid, until ${until}; add --now to end both and create a new one`)
  }
  const { secret, previousEnds } = result
  run.tell(
    { client_id: id, client_secret: secret, previous_secret_expires_at: previousEnds.toISOString() },
    `client_secret (shown this once): ${secret}\nThe previous one is valid until ${previousEnds.toISOString()}.`,
  )
}

const verbs: Readonly<Record<string, Verb>> = { create, list, remove, 'rotate-secret': rotate }

/** Manages pre-registered clients: fixed callbacks, secrets, and verification by the school on the consent page. */
export const integrations: Command = {
  name: 'integrations',
  usage:
    'stoa integrations create --name NAME (--redirect-uri URI …) [--client-id URL] [--confidential] [--introspects RESOURCE] [--scope SCOPE …] | list | remove CLIENT_ID | rotate-secret CLIENT_ID [--now]   [--school BASE_URL]',
  summary:
    'Register an integration that people see as verified by the school, list them, remove a client, rotate a secret',
  options: {
    ...schoolOption,
    name: { type: 'string' },
    'redirect-uri': { type: 'string', multiple: true },
    'client-id': { type: 'string' },
    confidential: { type: 'boolean' },
    introspects: { type: 'string' },
    scope: { type: 'string', multiple: true },
    now: { type: 'boolean' },
  },
  async run(run) {
    const [name = ''] = run.positionals
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined) throw new Failed(`usage: ${integrations.usage}`)
    await withInstallation(run.config, run.progress, async installation =>
      verb(run, installation, await chooseSchool(run, installation)),
    )
  },
}
