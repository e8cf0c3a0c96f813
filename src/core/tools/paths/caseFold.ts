/**
 * One spelling for all names that some file system takes for the same: letter case, composed and decomposed accents,
 * trailing dots and spaces and `:stream` (Windows), characters without width (HFS+).
 */
function caseFoldName(name: string): string {
  const bare = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const folded = bare.toLowerCase().normalize('NFC');
  const [beforeStream = ''] = folded.split(':');
  return beforeStream.replace(/(?<![. ])[. ]+$/, '');
}

export function caseFoldPath(path: string): string {
  return path.split('/').map(caseFoldName).join('/');
}
