import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of integrations, in every language. */
export const integrationsText = {
  title: say('Integrations', 'Integrações'),
  about: say('Apps that the school registers and vouches for', 'Aplicações que a escola regista e garante'),
  intro: say(
    'When people connect one of these apps, the page says that the school has verified it. What the app then gets is up to each of them.',
    'Quando alguém liga uma destas aplicações, a página diz que a escola a verificou. O que a aplicação recebe depende de cada pessoa.',
  ),
  none: say('There are no integrations yet.', 'Ainda não há integrações.'),
  add: say('Create an integration', 'Criar uma integração'),
  back: say('Back to the integrations', 'Voltar às integrações'),
  removed: say('removed', 'removida'),
  secret: say('with a secret', 'com segredo'),
  noSecret: say('without a secret', 'sem segredo'),
  fields: {
    name: say('Name', 'Nome'),
    nameHint: say('People see it before they allow access.', 'As pessoas veem-no antes de permitir o acesso.'),
    uris: say('Redirect URIs', 'Endereços de retorno'),
    urisHint: say(
      'Where the app continues after somebody allowed access, one on each line, such as https://app.example/callback.',
      'Para onde a aplicação continua depois da autorização, um por linha, como https://app.example/callback.',
    ),
    confidential: say(
      'The app runs on a server and can keep a secret',
      'A aplicação corre num servidor e sabe guardar um segredo',
    ),
    confidentialHint: say(
      'Apps on phones and in browsers cannot.',
      'As aplicações em telemóveis e navegadores não sabem.',
    ),
    scopes: say('Limit what it may ask for', 'Limitar o que pode pedir'),
    scopesHint: say(
      'Without a choice it may ask people for everything that apps can ask for.',
      'Sem escolha pode pedir às pessoas tudo o que as aplicações podem pedir.',
    ),
  },
  create: say('Create', 'Criar'),
  save: say('Save', 'Guardar'),
  id: say('Client id', 'Identificador'),
  issuer: say('Issuer', 'Emissor'),
  created: say('The integration is registered.', 'A integração está registada.'),
  secretCreated: say('There is a new secret.', 'Há um novo segredo.'),
  changed: say('The integration is changed.', 'A integração foi alterada.'),
  secretTitle: say('Client secret', 'Segredo'),
  secretOnce: say(
    'Copy it now: it is shown this once and cannot be read again.',
    'Copie-o agora: só é mostrado esta vez e não pode voltar a ser lido.',
  ),
  previousEnds: say('The previous secret is valid until {time}.', 'O segredo anterior é válido até {time}.'),
  previousEnded: say('The previous secrets have ended.', 'Os segredos anteriores terminaram.'),
  continue: say('Continue to the integration', 'Continuar para a integração'),
  rotate: {
    title: say('Change the secret', 'Mudar o segredo'),
    about: say(
      'Creates another secret. The one in use stays valid for a day, so that you can switch the app over.',
      'Cria outro segredo. O atual continua válido durante um dia, para poder atualizar a aplicação.',
    ),
    atOnce: say('End the secrets in use at once', 'Terminar já os segredos atuais'),
    atOnceHint: say(
      'After a leak. The app stops until it has the new one.',
      'Depois de uma fuga. A aplicação para até ter o novo.',
    ),
    button: say('Change the secret', 'Mudar o segredo'),
  },
  remove: {
    title: say('Remove', 'Remover'),
    about: say(
      'Ends its access to every account at once and for good. To use the app again, register it anew.',
      'Termina já e de vez o acesso a todas as contas. Para voltar a usar a aplicação, registe-a de novo.',
    ),
    button: say('Remove the integration', 'Remover a integração'),
    done: say(
      'The integration is removed, and its access has ended.',
      'A integração foi removida e o acesso terminou.',
    ),
  },
  isRemoved: say('This integration was removed and has no access.', 'Esta integração foi removida e não tem acesso.'),
  document: say(
    'This app describes itself at its client id. Without redirect URIs all of those that it names there are valid.',
    'Esta aplicação descreve-se no seu identificador. Sem endereços de retorno valem todos os que indica lá.',
  ),
} as const

/** The sentences for refusals on the pages of integrations. */
export const integrationRefusals = {
  'invalid_body name': say(
    'Please enter a name, in at most 64 characters.',
    'Escreva um nome, no máximo com 64 caracteres.',
  ),
  'invalid_body redirect_uris': say(
    'Enter one to ten redirect URIs: https with a host name, http on 127.0.0.1 or localhost, or the scheme of an app such as com.example.app:/callback.',
    'Escreva de um a dez endereços de retorno: https com um nome, http em 127.0.0.1 ou localhost, ou o esquema de uma aplicação como com.example.app:/callback.',
  ),
  'invalid_body scopes': say('One of these permissions does not exist.', 'Uma destas permissões não existe.'),
  two_secrets: say(
    'Nothing was changed: the secret was changed less than a day ago, and two are valid. Check the box to end both.',
    'Nada foi alterado: o segredo mudou há menos de um dia e há dois válidos. Assinale a caixa para terminar ambos.',
  ),
} as const
