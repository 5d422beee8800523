import { randomUUID } from 'node:crypto'
import { disableByOperator, listWebhookRows } from '#src/areas/apps/index.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

type Verb = (run: Run, installation: Installation, school: School) => Promise<void>

type Row = Awaited<ReturnType<typeof listWebhookRows>>[number]

const toPlain = (row: Row) => ({
  id: toId('whk', row.id),
  url: row.url,
  types: row.types,
  status: row.status,
  disabled_reason: row.disabled_reason,
  client_id: row.client_id,
  failing_since: row.failing_since?.toISOString() ?? null,
  last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
})

const formatLine = ({ id, url, status, disabled_reason: reason, client_id: app }: ReturnType<typeof toPlain>): string =>
  `${id}  ${url}  (${[status, reason, app].filter(part => part !== null).join(', ')})`

const list: Verb = async (run, { database }, school) => {
  const plain = (await database.statements(school.id, db => listWebhookRows(db, school.id))).map(toPlain)
  run.tell(plain, plain.map(formatLine).join('\n') || 'There is no webhook.')
}

const disable: Verb = async (run, { database }, school) => {
  const [, given = ''] = run.positionals
  const id = fromId('whk', given)
  const rows = await database.statements(school.id, db => listWebhookRows(db, school.id))
  if (id === undefined || !rows.some(row => row.id === id))
    throw new Failed(`no webhook of ${school.baseUrl} has the id ${given}; usage: ${webhooks.usage}`)
  const isNew = await database.transaction(school.id, (db, now) =>
    disableByOperator(db, { schoolId: school.id, now, id, requestId: randomUUID() }),
  )
  run.tell({ id: given, disabled: isNew }, isNew ? `${given} is sent nothing more.` : `${given} was disabled before.`)
}

const verbs: Readonly<Record<string, { readonly perform: Verb; readonly count: number }>> = {
  list: { perform: list, count: 1 },
  disable: { perform: disable, count: 2 },
}

/** Lists where the facts of a school are sent, and stops one. */
export const webhooks: Command = {
  name: 'webhooks',
  usage: 'stoa webhooks list | disable ID [--school BASE_URL]',
  summary: 'List the webhooks of a school, or have one be sent nothing more',
  options: schoolOption,
  async run(run) {
    const [name = ''] = run.positionals
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb === undefined || run.positionals.length !== verb.count) throw new Failed(`usage: ${webhooks.usage}`)
    await withInstallation(run.config, run.progress, async installation =>
      verb.perform(run, installation, await chooseSchool(run, installation)),
    )
  },
}
