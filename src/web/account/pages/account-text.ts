import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What the first page of an account says, in every language; `{…}` is filled in. */
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
  parts: {
    staff: say('Manage school', 'Gerir a escola'),
    staffAbout: say('People, roles and pending approvals', 'Pessoas, funções e o que espera por si'),
    apps: say('Connected apps', 'Aplicações ligadas'),
    appsAbout: say('See what they may do, and disconnect them', 'Ver o que podem fazer e desligá-las'),
    sessions: say('Where you are signed in', 'Onde tem sessão iniciada'),
    sessionsAbout: say('Sign out other browsers', 'Terminar a sessão noutros navegadores'),
    profile: say('Name, language and time zone', 'Nome, idioma e fuso horário'),
    profileAbout: say('How the school addresses you', 'Como a escola se dirige a si'),
    email: say('Change the e-mail address', 'Mudar o endereço de e-mail'),
    emailAbout: say('Where you sign in and get mail', 'Onde inicia sessão e recebe mensagens'),
    confirm: say('Confirm or change the e-mail address', 'Confirmar ou mudar o endereço de e-mail'),
    password: say('Change the password', 'Mudar a palavra-passe'),
    passwordAbout: say('Signs you out everywhere else', 'Termina as outras sessões'),
    deletion: say('Delete your account', 'Eliminar a sua conta'),
    deletionAbout: say('See what is deleted and when, or undo it', 'Ver o que é eliminado e quando, ou anular'),
  },
  deletionDue: say('Your account will be deleted on {day}.', 'A sua conta será eliminada em {day}.'),
  done: {
    password: say(
      'Your password was changed. You are signed out everywhere else, and the apps you have connected stay connected.',
      'A sua palavra-passe foi alterada. As outras sessões terminaram e as aplicações continuam ligadas.',
    ),
    password_apps: say(
      'Your password was changed. You are signed out everywhere else, and no app is connected any more.',
      'A sua palavra-passe foi alterada. As outras sessões terminaram e nenhuma aplicação está ligada.',
    ),
    reset: say(
      'Your new password is set. You are signed out everywhere else, and no app is connected any more.',
      'A sua nova palavra-passe está definida. As outras sessões terminaram e nenhuma aplicação está ligada.',
    ),
    email: say('The address below is yours now.', 'O endereço abaixo é agora o seu.'),
    profile: say('Your changes were saved.', 'As suas alterações foram guardadas.'),
  },
} as const
