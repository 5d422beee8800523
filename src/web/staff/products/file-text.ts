import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of one file of a product, in every language; `{…}` is filled in. */
export const fileText = {
  versions: say('Versions', 'Versões'),
  version: say('Version {n}', 'Versão {n}'),
  file: say('New version', 'Versão nova'),
  replace: say('Upload a new version', 'Enviar uma versão nova'),
  replaceAbout: say(
    'Who has the product downloads the new version from now on. Downloads go on counting.',
    'Quem tem o produto descarrega a versão nova a partir de agora. As transferências continuam a contar.',
  ),
  notify: say('Tell those who have the product by e-mail', 'Avisar por correio eletrónico quem tem o produto'),
  up: say('Move up', 'Mover para cima'),
  down: say('Move down', 'Mover para baixo'),
  remove: say('Remove the file', 'Retirar o ficheiro'),
  removeAbout: say(
    'Nobody can download it any more, and links to it stop working.',
    'Ninguém o pode voltar a descarregar e as ligações deixam de funcionar.',
  ),
  done: { replace: say('The new version is there.', 'A versão nova está disponível.') },
} as const
