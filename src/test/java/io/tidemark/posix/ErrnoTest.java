package io.tidemark.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrnoTest {
  @Test
  void name_ofEachConstant_isTheConstants() throws ReflectiveOperationException {
    for (Field constant : Errno.class.getFields()) {
      assertThat(Errno.name(constant.getInt(null))).isEqualTo(constant.getName());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,EPERM (operation not permitted)",
    "2,ENOENT (no such file or directory)",
    "5,EIO (input/output error)",
    "28,ENOSPC (no space left on device)",
    "30,EROFS (read-only file system)",
    "116,ESTALE (stale file handle)",
    "122,EDQUOT (disk quota exceeded)",
    "77,errno 77"
  })
  void describe_number_saysNameAndMeaning(int errno, String expected) {
    assertThat(Errno.describe(errno)).isEqualTo(expected);
  }

  @Test
  void exception_ofAFailedCall_hasPathAndNumber() {
    assertThat(PosixException.check(3, "cannot open", "/x")).isEqualTo(3);
    assertThatThrownBy(() -> PosixException.check(-Errno.EACCES, "cannot open", "/x"))
        .hasMessage("cannot open /x: EACCES (permission denied)")
        .isInstanceOfSatisfying(
            PosixException.class,
            e -> {
              assertThat(e.path()).isEqualTo("/x");
              assertThat(e.errno()).isEqualTo(Errno.EACCES);
            });
  }
}
