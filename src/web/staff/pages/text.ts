import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the staff pages, in every language; `{…}` is filled in. */
export const staffText = {
  roleNames: {
    member: say('member', 'membro'),
    lecturer: say('lecturer', 'docente'),
    admin: say('admin', 'administrador(a)'),
    owner: say('owner', 'proprietário(a)'),
  },
  statusNames: {
    invited: say('invited', 'convidado(a)'),
    active: say('active', 'ativo(a)'),
    suspended: say('suspended', 'suspenso(a)'),
    deleted: say('removed', 'removido(a)'),
  },
  counts: {
    active: say('Active members', 'Membros ativos'),
    invited: say('Pending invitations', 'Convites pendentes'),
    suspended: say('Suspended', 'Suspensos'),
  },
  notForYou: {
    title: say('Staff only', 'Isto é para a equipa da escola'),
    text: say(
      'These pages are for owners and admins. If you should be one of them, ask an owner of the school.',
      'Estas páginas são para proprietários e administradores. Se devia ser um deles, fale com um proprietário da escola.',
    ),
    lecturers: say(
      'These pages are for lecturers, admins and owners. If you should be one of them, ask an owner of the school.',
      'Estas páginas são para docentes, administradores e proprietários. Se devia ser um deles, fale com um proprietário da escola.',
    ),
  },
  home: {
    title: say('Manage {school}', 'Gerir {school}'),
    people: say('People', 'Pessoas'),
    peopleAbout: say('Find members, change roles, suspend members', 'Encontrar membros, mudar funções, suspender'),
    add: say('Add a member', 'Adicionar um membro'),
    addAbout: say('By name and address, with an invitation', 'Por nome e endereço, com um convite'),
    confirmations: say('Pending approvals ({count})', 'À espera da sua decisão ({count})'),
    confirmationsAbout: say('Requests of apps in your name', 'O que as aplicações pediram em seu nome'),
    invited: say('Pending invitations', 'Convites pendentes'),
    back: say('Back to admin', 'Voltar à administração'),
    admin: say('Admin', 'Administração'),
  },
  confirmations: {
    title: say('Pending approvals', 'À espera da sua decisão'),
    intro: say(
      'Apps requested these changes in your name. Nothing happens until you approve; each request expires after 15 minutes.',
      'As aplicações pediram estas alterações em seu nome. Nada acontece sem a sua aprovação; cada pedido expira ao fim de 15 minutos.',
    ),
    none: say('There are no pending approvals.', 'Nada espera por si.'),
  },
  people: {
    title: say('People', 'Pessoas'),
    search: say(
      'Search people by name, address, phone number or external id',
      'Procurar pessoas por nome, endereço, telefone ou identificador externo',
    ),
    status: say('Status', 'Estado'),
    anyStatus: say('All except removed', 'Todos, exceto removidos'),
    role: say('Role', 'Função'),
    anyRole: say('Any role', 'Qualquer função'),
    find: say('Find', 'Procurar'),
    found: say('Found', 'Resultados'),
    none: say('No members found.', 'Ninguém foi encontrado.'),
    next: say('Next page', 'Página seguinte'),
    first: say('Back to the first page', 'Voltar à primeira página'),
    add: say('Add a member', 'Adicionar um membro'),
  },
  add: {
    title: say('Add a member', 'Adicionar um membro'),
    intro: say(
      'Nobody can sign in as this person until they have confirmed the address and chosen a password.',
      'Ninguém pode entrar em nome desta pessoa antes de ela confirmar o endereço e escolher uma palavra-passe.',
    ),
    name: say('Name', 'Nome'),
    email: say('E-mail address', 'Endereço de e-mail'),
    invites: say('Send an invitation now', 'Enviar já um convite'),
    invitesHint: say(
      'Otherwise no mail is sent; you can invite them later.',
      'Caso contrário, nada é enviado; pode convidar depois.',
    ),
    button: say('Add', 'Adicionar'),
    back: say('Back to the people', 'Voltar às pessoas'),
  },
  person: {
    email: say('E-mail address', 'Endereço de e-mail'),
    proven: say('confirmed', 'confirmado'),
    notProven: say('not confirmed yet', 'ainda não confirmado'),
    role: say('Role', 'Função'),
    status: say('Status', 'Estado'),
    suspendedFor: say('Suspended for', 'Motivo da suspensão'),
    phone: say('Phone', 'Telefone'),
    tags: say('Tags', 'Etiquetas'),
    groups: say('Groups', 'Grupos'),
    externalId: say('External id', 'Identificador externo'),
    since: say('Here since', 'Desde'),
    seen: say('Last seen', 'Visto pela última vez'),
    reason: say('Reason (visible to staff only)', 'Motivo, só para a equipa'),
    back: say('Back to the people', 'Voltar às pessoas'),
    acts: {
      role: {
        title: say('Role', 'Função'),
        about: say('Takes effect at once, also for their apps.', 'Tem efeito imediato, também nas suas aplicações.'),
        button: say('Change the role', 'Mudar a função'),
      },
      suspend: {
        title: say('Suspend', 'Suspender'),
        about: say(
          'Signs the person out everywhere, disconnects their apps and blocks sign-in. No mail is sent.',
          'Termina todas as sessões da pessoa, desliga as suas aplicações e impede a entrada. Nada é enviado.',
        ),
        button: say('Suspend', 'Suspender'),
      },
      reinstate: {
        title: say('Reactivate', 'Deixar entrar de novo'),
        about: say(
          'The person signs in and connects their apps again. No mail is sent.',
          'A pessoa volta a entrar e a ligar as suas aplicações. Nada é enviado.',
        ),
        button: say('Reactivate', 'Deixar entrar de novo'),
      },
      invite: {
        title: say('Invite again', 'Convidar de novo'),
        about: say(
          'Sends a new link and code; earlier ones stop working.',
          'Envia uma nova ligação e um novo código; os anteriores deixam de valer.',
        ),
        button: say('Send an invitation', 'Enviar um convite'),
      },
      sign_out: {
        title: say('Sign out everywhere', 'Terminar todas as sessões'),
        about: say(
          'Signs the person out in every browser and disconnects their apps. They can sign in again. No mail is sent.',
          'Termina as sessões em todos os navegadores e desliga as aplicações. A pessoa pode voltar a entrar. Nada é enviado.',
        ),
        button: say('Sign out everywhere', 'Terminar todas as sessões'),
      },
    },
    done: {
      role: say('The role was changed.', 'A função foi mudada.'),
      suspend: say('The person is signed out and suspended.', 'A sessão da pessoa terminou e a entrada está impedida.'),
      reinstate: say('The person can sign in again.', 'A pessoa pode voltar a entrar.'),
      invite: say('An invitation is on its way.', 'O convite vai a caminho.'),
      sign_out: say('The person is signed out everywhere.', 'Todas as sessões da pessoa terminaram.'),
      added: say('The member was added. No mail was sent.', 'O membro foi adicionado. Nada foi enviado.'),
      added_invited: say(
        'The member was added, and an invitation is on its way.',
        'O membro foi adicionado e o convite vai a caminho.',
      ),
    },
  },
  refusals: {
    last_owner: say(
      'This is the last owner. Make another member owner first.',
      'Este é o último proprietário. Dê primeiro essa função a outro membro.',
    ),
    role_required: say('Your role does not allow this.', 'A sua função não o permite.'),
    own_account: say('You cannot do this to your own account.', 'Ninguém faz isto a si próprio.'),
    invalid_state: say(
      'The status of this member has changed and does not allow this.',
      'O estado deste membro mudou e não o permite.',
    ),
    conflict: say(
      'Nothing was changed: a member with this address already exists, or the member is not active.',
      'Nada foi alterado: já existe um membro com este endereço ou o membro não está ativo.',
    ),
    email_taken: say('A member with this address already exists.', 'Já existe um membro com este endereço.'),
    invalid_body: say('A value is not allowed.', 'Um valor não é permitido.'),
    'invalid_body email': say('This is not an e-mail address.', 'Isto não é um endereço de e-mail.'),
    'invalid_body name': say(
      'Please enter a name, in at most 120 characters.',
      'Escreva um nome, no máximo com 120 caracteres.',
    ),
    'invalid_body reason': say(
      'Please enter a reason, in at most 200 characters.',
      'Escreva um motivo, no máximo com 200 caracteres.',
    ),
  },
} as const
