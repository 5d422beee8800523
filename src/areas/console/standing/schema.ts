import Type, { type Static } from 'typebox'
import { Closed, Instant, Line, Nullable, OneOf } from '#src/kit/shapes.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Failure = Closed('MailFailure', {
  at: Instant,
  error: Nullable(Type.String({ description: 'Why, without addresses' })),
})

const TestMail = Closed('TestMail', {
  recorded_at: Instant,
  state: OneOf(['waiting', 'written', 'sent', 'failed'], '`written` where there is no mail server'),
  error: Nullable(Type.String({ description: 'Why the last attempt failed, without addresses' })),
})

/** How a school stands: what it has set, and whether it works. */
export const Standing = Closed('Standing', {
  as_of: Instant,
  is_named: Type.Boolean({ description: 'Whether it has a name of its own' }),
  has_look: Type.Boolean({ description: 'Whether an appearance is published' }),
  is_local: Type.Boolean({ description: 'Whether its address can be reached on one computer alone' }),
  payments: Closed('PaymentStanding', {
    missing: Type.Array(Type.String(), {
      description: 'What keeps it from being paid, as `sale_state` has it, without the seller',
    }),
    providers: Type.Array(Type.String(), { description: 'The names of the providers that are set' }),
    last_paid_at: Nullable(Instant),
  }),
  mail: Closed('MailStanding', {
    accepted_at: Nullable(Instant),
    is_accepted: Type.Boolean({ description: 'Whether a server has accepted mails from the address that is set now' }),
    test: Nullable(TestMail),
    sent: Count('Mails that were sent in the last 7 days, at most 10,000'),
    failed: Count('Mails that were given up in the last 7 days, at most 10,000'),
    waiting: Count('Mails that wait, at most 10,000'),
    last_failure: Nullable(Failure),
  }),
  seller: Closed('SellerStanding', {
    name: Nullable(Type.String()),
    has_address: Type.Boolean(),
    tax_id: Nullable(Type.String()),
    tax_mode: OneOf(['none', 'inclusive', 'exclusive'], 'As the seller settings have it'),
    countries: Count('For how many countries there is a rate of tax'),
  }),
  terms: Nullable(
    Closed('TermsStanding', {
      title: Type.String({ description: 'The title of the page of terms that buyers accept' }),
      is_published: Type.Boolean(),
    }),
  ),
  checkout: Closed('CheckoutStanding', {
    hold_minutes: Type.Integer(),
    asks_waiver: Type.Boolean({ description: 'Whether buyers agree that their right of withdrawal ends' }),
  }),
  languages: Type.Array(Type.String({ description: 'A language tag' })),
  certificates: Count('Templates of certificates'),
  staff: Closed('StaffStanding', { owners: Count('Owners'), admins: Count('Admins'), lecturers: Count('Lecturers') }),
  sign_up: OneOf(['open', 'invite', 'closed'], 'Who may create an account'),
  fields: Count('Custom fields of members'),
  tags: Count('Tags of members'),
  apps: Count('Apps that at least one member has allowed something'),
  webhooks: Closed('WebhooksStanding', {
    all: Count('Webhooks'),
    active: Count('Webhooks to which what happens is delivered'),
    failing: Count('Webhooks to which nothing can be delivered'),
    stopped: Count('Webhooks that were turned off by no person'),
    waiting: Count('Deliveries that wait, at most 10,000'),
  }),
  is_priced: Type.Boolean({ description: 'Whether anything has a price' }),
  is_on_sale: Type.Boolean({ description: 'Whether anything with a price is published' }),
})

/** The same as values. */
export type StandingValues = Static<typeof Standing>

/** Which address mails come from now; without it they are written to files. */
export const SenderQuery = Type.Object(
  { sender: Type.Optional(Line(254, 'The address that mails come from; left out where there is no mail server')) },
  { additionalProperties: false },
)
