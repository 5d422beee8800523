import { type Role, roles } from '#src/contract/caller.ts'
import type { School } from '#src/contract/school.ts'
import { createPerson } from '#src/demo/index.ts'
import {
  countOwners,
  endMemberGrants,
  endSessions,
  findMemberByEmail,
  hashPassword,
  invite,
  type Member,
  storePassword,
  storeRole,
} from '#src/identity/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { forLog } from '#src/kit/text.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'
import { choosePassword, memberEmail, memberName } from './values.ts'

const readEmail = (run: Run): string => {
  const [, email] = run.positionals
  if (email === undefined) throw new Failed(`name the member's e-mail address; usage: ${members.usage}`)
  return memberEmail(`"${forLog(email, 80)}"`, email)
}

const parseRole = (text: string): Role => {
  const role = roles.find(known => known === text)
  if (role === undefined) throw new Failed(`the role is one of ${roles.join(', ')}`)
  return role
}

const readName = (run: Run, email: string): string =>
  memberName('--name', textOption(run, 'name') ?? email.split('@')[0] ?? email)

const found = async ({ database }: Installation, school: School, email: string): Promise<Member> => {
  const member = await database.statements(school.id, db => findMemberByEmail(db, school.id, email))
  if (member === undefined || member.status === 'deleted')
    throw new Failed(`no member of ${school.baseUrl} has the address ${email}`)
  return member
}

const create = async (run: Run, installation: Installation, school: School): Promise<void> => {
  const email = readEmail(run)
  const name = readName(run, email)
  const { password, json, line } = await choosePassword(run, 'password', { email, name, school })
  const plan = { email, password, name, role: parseRole(textOption(run, 'role') ?? 'member') }
  if ((await createPerson(installation.database, school.id, plan)) === 'email_taken') {
    const holder = await installation.database.statements(school.id, db => findMemberByEmail(db, school.id, email))
    throw new Failed(
      holder?.status === 'deleted'
        ? `the account of ${email} was removed; stoa members invite brings it back`
        : `${email} already has an account`,
    )
  }
  run.tell({ email, role: plan.role, ...json }, `${plan.role} ${email}, password ${line}`)
}

const inviteOne = async (run: Run, { database, secret }: Installation, school: School): Promise<void> => {
  const email = readEmail(run)
  const plan = { email, name: readName(run, email), role: parseRole(textOption(run, 'role') ?? 'member') }
  const member = await invite(database, school, { secret, random: systemRandom }, plan)
  if (member === 'email_taken') throw new Failed(`${email} already has an account`)
  run.tell({ email, role: member.role }, `${member.role} ${email} is invited; the running server sends the mail.`)
}

const setRole = async (run: Run, installation: Installation, school: School): Promise<void> => {
  const role = parseRole(run.positionals[2] ?? '')
  const member = await found(installation, school, readEmail(run))
  await installation.database.transaction(school.id, async db => {
    await storeRole(db, school.id, member.id, role)
    if ((await countOwners(db, school.id)) === 0)
      throw new Failed('the last owner of a school cannot lose the role; make another member owner first')
  })
  run.tell({ email: member.email, role }, `${member.email} is ${role} now.`)
}

const resetPassword = async (run: Run, installation: Installation, school: School): Promise<void> => {
  const member = await found(installation, school, readEmail(run))
  const { password, json, line } = await choosePassword(run, 'password', { ...member, school })
  const hash = await hashPassword(password)
  const ended = await installation.database.transaction(school.id, async db => {
    await storePassword(db, school.id, member.id, hash)
    await endSessions(db, school.id, member.id)
    return endMemberGrants(db, school.id, member.id, 'password_reset')
  })
  run.tell(
    { email: member.email, ...json, ended_grants: ended },
    `${member.email}, new password ${line}\nSessions and ${ended} connected apps were ended.`,
  )
}

const verbs = { create, invite: inviteOne, 'set-role': setRole, 'reset-password': resetPassword }

/** Creates and invites members, changes their roles and resets their passwords. */
export const members: Command = {
  name: 'members',
  usage:
    'stoa members create EMAIL [--name NAME] [--role ROLE] [--password PASSWORD] | invite EMAIL [--name NAME] [--role ROLE] | set-role EMAIL ROLE | reset-password EMAIL [--password PASSWORD]   [--school BASE_URL]',
  summary: 'Create or invite a member, change a role, reset a password',
  options: { ...schoolOption, name: { type: 'string' }, role: { type: 'string' }, password: { type: 'string' } },
  async run(run) {
    const verb = Object.entries(verbs).find(([name]) => name === run.positionals[0])?.[1]
    if (verb === undefined) throw new Failed(`usage: ${members.usage}`)
    await withInstallation(run.config, run.progress, async installation =>
      verb(run, installation, await chooseSchool(run, installation)),
    )
  },
}
