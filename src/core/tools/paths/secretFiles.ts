import { caseFoldPath } from './caseFold';
import { anchorGlob, compileGlob } from './glob';

/** Files that look like secrets (S4) unless the person's own setting says otherwise. */
export const defaultSecretFiles: readonly string[] = `
  .env* *.env *.pem *.key *.p12 *.pfx *.ppk *.jks *.keystore *.kdbx *.ovpn id_rsa* id_dsa* id_ecdsa*
  id_ed25519* **/.ssh/** **/.gnupg/** **/.aws/credentials **/.kube/config **/.docker/config.json
  .git-credentials .netrc _netrc .pgpass .htpasswd .npmrc .pypirc .dockercfg .vault-token credentials .credentials.json
  credentials.{json,xml,yml,yaml,db} client_secret*.json service-account*.json
  secrets.{json,yml,yaml,toml} *.tfvars *.tfstate
`
  .trim()
  .split(/\s+/);

export interface SecretFiles {
  /** The globs as search takes them. */
  readonly globs: readonly string[];
  has(path: string): boolean;
}

/** Reads the list at each use, and compiles it only when it has changed. */
export function createSecretFilesReader(read: () => readonly string[]): () => SecretFiles {
  let key: string | undefined;
  let current = createSecretFiles([]);
  return () => {
    const globs = read();
    const next = globs.join('\n');
    if (next !== key) {
      key = next;
      current = createSecretFiles(globs);
    }
    return current;
  };
}

export function createSecretFiles(globs: readonly string[]): SecretFiles {
  const anchored = globs.map((glob) => caseFoldPath(anchorGlob(glob)));
  const matchers = anchored.map((glob) => compileGlob(glob, { isCaseSensitive: false }));
  return {
    globs: anchored,
    has(path) {
      const folded = caseFoldPath(path);
      return matchers.some((matches) => matches(folded));
    },
  };
}
