import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the first page of an account, in every language; `{…}` is filled in. */
export const accountText = {
  title: say('Your account at {school}', 'A sua conta em {school}'),
  name: say('Name', 'Nome'),
  email: say('E-mail address', 'Endereço de e-mail'),
  proven: say('confirmed', 'confirmado'),
  notProven: say('not confirmed yet', 'ainda não confirmado'),
  signOut: say('Sign out', 'Terminar sessão'),
  home: say('The school’s home page', 'A página inicial da escola'),
  back: say('Back to your account', 'Voltar à sua conta'),
  waiting: say('An app needs your approval', 'Uma aplicação espera pela sua decisão'),
  groups: {
    work: say('Your work', 'O seu trabalho'),
    learning: say('Learning and purchases', 'Aprendizagem e compras'),
    profile: say('Your profile', 'O seu perfil'),
    security: say('Security', 'Segurança'),
  },
  parts: {
    teaching: say('Teaching', 'Ensino'),
    teachingAbout: say(
      'Your courses, students and the work that waits',
      'Os seus cursos, alunos e o trabalho que espera',
    ),
    staff: say('Manage school', 'Gerir a escola'),
    staffAbout: say('People, roles and pending approvals', 'Pessoas, funções e o que espera por si'),
    courses: say('Your courses', 'Os seus cursos'),
    coursesAbout: say('Where you are enrolled', 'Onde está inscrito'),
    registrations: say('Your registrations', 'As suas inscrições'),
    registrationsAbout: say('Events that you go to, with your codes', 'Eventos a que vai, com os seus códigos'),
    calendar: say('Your calendar', 'O seu calendário'),
    calendarAbout: say('Your dates in a calendar app', 'As suas datas numa aplicação de calendário'),
    orders: say('Your orders', 'As suas encomendas'),
    ordersAbout: say('What you bought, invoices and payments', 'O que comprou, faturas e pagamentos'),
    subscriptions: say('Your subscriptions', 'As suas assinaturas'),
    subscriptionsAbout: say(
      'What you pay regularly, your card and plan',
      'O que paga regularmente, o cartão e o plano',
    ),
    downloads: say('Your downloads', 'As suas transferências'),
    downloadsAbout: say('Files that you bought or were given', 'Ficheiros que comprou ou lhe ofereceram'),
    comments: say('Your comments', 'Os seus comentários'),
    commentsAbout: say('What you wrote, to edit or delete', 'O que escreveu, para editar ou apagar'),
    apps: say('Connected apps', 'Aplicações ligadas'),
    appsAbout: say('See what they may do, and disconnect them', 'Ver o que podem fazer e desligá-las'),
    sessions: say('Where you are signed in', 'Onde tem sessão iniciada'),
    sessionsAbout: say('Sign out other browsers', 'Terminar a sessão noutros navegadores'),
    profile: say('Name, language and time zone', 'Nome, idioma e fuso horário'),
    profileAbout: say('Your profile at the school', 'O seu perfil na escola'),
    emails: say('E-mails you receive', 'Mensagens que recebe'),
    emailsAbout: say('Turn off those that you do not want', 'Desativar as que não quer'),
    email: say('Change the e-mail address', 'Mudar o endereço de e-mail'),
    emailAbout: say('The address for sign-in and e-mails', 'O endereço para iniciar sessão e receber mensagens'),
    confirm: say('Confirm or change the e-mail address', 'Confirmar ou mudar o endereço de e-mail'),
    password: say('Change the password', 'Mudar a palavra-passe'),
    passwordAbout: say('Signs you out everywhere else', 'Termina as outras sessões'),
    deletion: say('Delete your account', 'Eliminar a sua conta'),
    deletionAbout: say('See what is deleted and when, or undo it', 'Ver o que é eliminado e quando, ou anular'),
  },
  deletionDue: say('Your account will be deleted on {day}.', 'A sua conta será eliminada em {day}.'),
  done: {
    password: say(
      'Your password was changed. You were signed out everywhere else, and your connected apps stay connected.',
      'A sua palavra-passe foi alterada. As outras sessões terminaram e as aplicações continuam ligadas.',
    ),
    password_apps: say(
      'Your password was changed. You were signed out everywhere else, and all apps were disconnected.',
      'A sua palavra-passe foi alterada. As outras sessões terminaram e todas as aplicações foram desligadas.',
    ),
    reset: say(
      'Your new password was set. You were signed out everywhere else, and all apps were disconnected.',
      'A sua nova palavra-passe foi definida. As outras sessões terminaram e todas as aplicações foram desligadas.',
    ),
    email: say(
      'Your e-mail address was changed to the one below.',
      'O seu endereço de e-mail foi alterado para o indicado abaixo.',
    ),
    profile: say('Your changes were saved.', 'As suas alterações foram guardadas.'),
  },
} as const
