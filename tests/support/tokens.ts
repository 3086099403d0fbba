import { SignJWT } from 'jose';

export const secret = 'a secret that only the tests know, 32 bytes or more';

/** A token that test servers accept. A claim that is undefined is left out. */
export function tokenFor(user: string, claims: Record<string, unknown> = {}, key = secret): Promise<string> {
  return new SignJWT({ sub: user, name: capitalized(user), ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(key));
}

export function capitalized(user: string): string {
  return user.charAt(0).toUpperCase() + user.slice(1);
}
